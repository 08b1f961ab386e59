import { appendAll } from '../../model/lists.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import type { LinkSpeed } from '../../model/machine.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { type KnownElements, largestXml, unknownInXml, type XmlElement } from '../xmlElements.ts';
import { FabricBuilder, fabricLimits, badFabric, faultOfCount } from './builder.ts';
import { bytesPerSecond, secondsOf } from './linkSpeeds.ts';
import { type BuiltCluster, buildSimgridCluster, faultOfCluster, mostHostsOfRoutes } from './simgridClusters.ts';
import {
  inSeries,
  type LaidRoutes,
  layRoutes,
  lostRoutes,
  type PlatformLink,
  type Route,
  waysBetween,
  type ZoneRouting,
} from './simgridRoutes.ts';

/**
 * Platforms of SimGrid: zones of hosts and routers with routes over links, and clusters. A route is a cable with the
 * slowest bandwidth and the summed latency of its links; a link that several routes share is a switch of its own, on
 * cables with its bandwidth, since it is one resource for all. Where all hosts are in one zone, each pair keeps its route.
 */

/** What goes wrong in the middle of building; caught at the top. */
class PlatformError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** A platform while it is read. */
class Platform {
  readonly builder = new FabricBuilder();
  /** Ids of what is part of a star: read before all else of its zone. */
  readonly #starred = new Set<string>();
  /** What zones say of routing where they have routes between their own hosts and routers. */
  readonly #routings: string[] = [];
  /** Routes are between other zones than that of the hosts. */
  #hasZoneRoutes = false;
  /** Half of the backbone of a zone, by its router. */
  readonly #backbones = new Map<number, LinkSpeed>();
  /** Clusters that are tori. */
  readonly #tori: BuiltCluster[] = [];
  readonly #trees: BuiltCluster[] = [];
  /** Routers, gateways and hosts by name: the switch that they are. */
  private readonly places = new Map<string, number>();
  private readonly links = new Map<string, PlatformLink>();
  private readonly routes: Route[] = [];
  private readonly hosts: PlatformHost[] = [];
  #bypasses: XmlElement[] = [];
  /** The default gateway of a zone. */
  private readonly gateways = new Map<string, number>();
  private readonly counts = { cables: 0, hosts: 0 };
  private readonly cancellation: Cancellation;
  readonly told = {
    halfDuplex: 0,
    backbones: 0,
    unevenHostLinks: 0,
    peers: 0,
    dragonflies: 0,
    cores: new Set<string>(),
    loopbacks: 0,
  };

  constructor(cancellation: Cancellation) {
    this.cancellation = cancellation;
  }

  /** Reads a zone's own elements, then its routes. As deep as the file. */
  zone(element: XmlElement): void {
    if (this.cancellation.isCancelled()) return;
    this.star(element);
    const routing = (element.attributes['routing'] ?? 'Full').toLowerCase();
    for (const child of element.children) this.element(child, passesOn.test(routing));
    if (element.children.some(({ name }) => name === 'route')) this.#routings.push(routing);
    if (element.children.some(({ name }) => /^(?:zoneRoute|ASroute)$/.test(name))) this.#hasZoneRoutes = true;
    appendAll(
      this.#bypasses,
      element.children.filter(({ name }) => name.startsWith('bypass')),
    );
    for (const child of element.children) if (/^(?:route|zoneRoute|ASroute)$/.test(child.name)) this.route(child);
    const first = element.children.find(({ attributes }) => this.places.has(attributes['id'] ?? ''));
    const gateway = first && this.places.get(first.attributes['id'] ?? '');
    if (gateway !== undefined) this.gateways.set(element.attributes['id'] ?? '', gateway);
  }

  /**
   * Hosts with a `host_link`, as zones with the routing `Cluster` have them: each on the switch of the zone by its own link. A `backbone` lies
   * between every two of them: its latency is shared out over their links.
   */
  private star({ children, attributes }: XmlElement): void {
    const hostLinks = children.filter(({ name }) => name === 'host_link');
    const [first] = hostLinks;
    if (first === undefined) {
      for (const { name, line } of children)
        if (name === 'backbone') this.builder.warn('Backbone without a `host_link` in its zone: skipped.', line);
      return;
    }
    for (const child of children) if (child.name === 'link') this.link(child);
    const [router, backbone] = ['router', 'backbone'].map((kind) => children.find(({ name }) => name === kind));
    const id = (router ?? backbone)?.attributes['id'] ?? attributes['id'] ?? '';
    const place = this.place(id, first.line);
    this.#starred.add(id);
    if (backbone !== undefined)
      this.#backbone(place, backbone, backbone.attributes['bandwidth'], backbone.attributes['latency']);
    const hosts = new Map(
      children.filter(({ name }) => name === 'host').map((host) => [host.attributes['id'] ?? '', host]),
    );
    for (const hostLink of hostLinks) this.#attach(hosts.get(hostLink.attributes['id'] ?? ''), hostLink, place);
  }

  /** Messages cross it once on their way from one host to another, or to other zones: half of it is behind each link of the router. */
  #backbone(
    router: number,
    { line }: XmlElement,
    bandwidth: string | undefined,
    latency: string | undefined,
  ): LinkSpeed {
    const half = { bandwidth: rateOf(bandwidth, line), latency: timeOf(latency, line) / 2 };
    this.told.backbones++;
    this.#backbones.set(router, half);
    return half;
  }

  #attach(host: XmlElement | undefined, { attributes, line }: XmlElement, place: number): void {
    const name = attributes['id'] ?? '';
    if (host === undefined) throw new PlatformError(line, `The host ${quote(name)} is not in this zone.`);
    if (this.places.has(name))
      throw new PlatformError(line, `${quote(name)} is declared twice. Ids must be unique in a platform.`);
    const ways = ['up', 'down'].map((way) => this.linkOf(attributes[way] ?? '', line));
    this.told.cores.add(host.attributes['core'] ?? '1');
    const [up, down] = ways;
    if (up?.bandwidth !== down?.bandwidth || up?.latency !== down?.latency) this.told.unevenHostLinks++;
    const half = this.#backbones.get(place);
    const latency = ways.reduce((sum, link) => sum + (link.latency ?? 0), 0) / ways.length + (half?.latency ?? 0);
    this.builder.addHost(name, place, { ...inSeries([...ways, half ?? []].flat()), latency });
    this.check('hosts', ++this.counts.hosts, line);
    this.places.set(name, place);
    this.#starred.add(name);
  }

  private linkOf(id: string, line: number): PlatformLink {
    const link = this.links.get(id) ?? this.links.get(id.replace(/_(?:UP|DOWN)$/, ''));
    if (link === undefined)
      throw new PlatformError(line, `The link ${quote(id)} is used before its declaration. Declare it first.`);
    return link;
  }

  /** `hostsPassOn`: by the routing of its zone. */
  private element(child: XmlElement, hostsPassOn: boolean): void {
    const { attributes, line } = child;
    const id = attributes['id'] ?? '';
    const readers: Readonly<Record<string, () => void>> = {
      router: () => {
        if (!this.#starred.has(id)) this.place(id, line);
      },
      host: () => {
        if (!this.#starred.has(id)) this.host(id, line, { cores: attributes['core'], hostsPassOn });
      },
      link: () => {
        if (!this.links.has(id)) this.link(child);
      },
      cluster: () => {
        this.cluster(child);
      },
      peer: () => {
        this.peer(child);
      },
      zone: () => {
        this.zone(child);
      },
      AS: () => {
        this.zone(child);
      },
      cabinet: () => {
        throw new PlatformError(line, 'Cabinets are not read. Write a `<cluster>`.');
      },
      include: () => {
        throw new PlatformError(line, 'The file includes another file, which is not read. Merge the files.');
      },
    };
    if (Object.hasOwn(readers, child.name)) readers[child.name]?.();
  }

  private place(id: string, line: number): number {
    if (id === '') throw new PlatformError(line, 'A host or router has no `id`. Add it.');
    if (this.places.has(id))
      throw new PlatformError(line, `${quote(id)} is declared twice. Ids must be unique in a platform.`);
    const place = this.builder.addRouter(id);
    this.check('switches', place + 1, line);
    this.places.set(id, place);
    return place;
  }

  private host(
    id: string,
    line: number,
    own: { readonly cores: string | undefined; readonly hostsPassOn: boolean },
  ): void {
    const place = this.place(id, line);
    this.told.cores.add(own.cores ?? '1');
    this.hosts.push({ name: id, place, passesOn: own.hostsPassOn });
  }

  private link({ attributes, line }: XmlElement): void {
    const id = attributes['id'] ?? '';
    const speed = { bandwidth: rateOf(attributes['bandwidth'], line), latency: timeOf(attributes['latency'], line) };
    if (/^SHARED$/i.test(attributes['sharing_policy'] ?? '')) this.told.halfDuplex++;
    this.links.set(id, { name: id, ...speed, routes: 0 });
  }

  private peer({ attributes, line }: XmlElement): void {
    const place = this.place(attributes['id'] ?? '', line);
    this.told.peers++;
    const bandwidth = Math.min(rateOf(attributes['bw_in'], line), rateOf(attributes['bw_out'], line));
    this.builder.addHost(attributes['id'] ?? '', place, { bandwidth, latency: timeOf(attributes['lat'], line) });
  }

  /** Hosts behind their links, and half of the backbone where the cluster has one: flat clusters alone have. */
  #buildCluster(element: XmlElement): BuiltCluster {
    const { attributes, line } = element;
    const fault = faultOfCluster(attributes);
    if (fault !== undefined) throw new PlatformError(line, fault);
    const link = { bandwidth: rateOf(attributes['bw'], line), latency: timeOf(attributes['lat'], line) };
    const { topology = 'FLAT', bb_bw: bandwidth, bb_lat: latency } = attributes;
    const hasBackbone = bandwidth !== undefined && topology.toUpperCase() === 'FLAT';
    // The router of a flat cluster is the next one of the builder.
    const half = hasBackbone ? [this.#backbone(this.builder.routerCount, element, bandwidth, latency)] : [];
    const built = buildSimgridCluster(attributes, inSeries([link, ...half]), this.builder);
    if (typeof built === 'string') throw new PlatformError(line, built);
    return built;
  }

  private cluster(element: XmlElement): void {
    const { attributes, line } = element;
    const built = this.#buildCluster(element);
    this.told.cores.add(attributes['core'] ?? '1');
    if (/^(?:SHARED|HALFDUPLEX)$/i.test(attributes['sharing_policy'] ?? '')) this.told.halfDuplex++;
    if (built.routes !== undefined) this.#tori.push(built);
    if (built.tiers !== undefined) this.#trees.push(built);
    if (/^dragonfly$/i.test(attributes['topology'] ?? '')) this.told.dragonflies++;
    this.counts.hosts += built.hosts;
    this.counts.cables += built.cables;
    this.check('hosts', this.counts.hosts, line);
    this.check('cables', this.counts.cables, line);
    this.check('switches', built.routers, line);
    const id = attributes['id'] ?? '';
    const router = `${attributes['prefix'] ?? ''}${id}_router${attributes['suffix'] ?? ''}`;
    this.gateways.set(id, built.gateway);
    this.places.set(attributes['router_id'] ?? router, built.gateway);
    for (const [name, place] of built.places) this.places.set(name, place);
  }

  private route({ attributes, children, line }: XmlElement): void {
    const [source = '', target = ''] = [attributes['src'], attributes['dst']];
    const from = this.endOf(attributes['gw_src'] ?? attributes['gwSrc'], source, line);
    const to = this.endOf(attributes['gw_dst'] ?? attributes['gwDst'], target, line);
    const links = children
      .filter(({ name }) => name === 'link_ctn')
      .map((item) => {
        const id = item.attributes['id'] ?? '';
        return this.linkOf(id, item.line);
      });
    if (from === to) {
      this.told.loopbacks++;
      return;
    }
    const wayBack = this.routes.find(
      (route) => route.from === to && route.to === from && isSameSet(route.links, links),
    );
    if (wayBack !== undefined) {
      wayBack.isBothWays = true;
      return;
    }
    const isBothWays = !/^no$/i.test(attributes['symmetrical'] ?? '');
    for (const link of links) link.routes++;
    if (this.routes.push({ from, to, links, line, isBothWays }) > largestRoutes)
      throw new PlatformError(line, `The file has more than ${largestRoutes} routes, the maximum.`);
  }

  private endOf(gateway: string | undefined, id: string, line: number): number {
    const place = this.places.get(gateway ?? id) ?? (gateway === undefined ? this.gateways.get(id) : undefined);
    if (place !== undefined) return place;
    throw new PlatformError(
      line,
      `The route ends at ${quote(gateway ?? id)} before its declaration. Declare it first.`,
    );
  }

  private check(kind: keyof typeof fabricLimits, count: number, line: number): void {
    const excess = faultOfCount(kind, count);
    if (excess !== undefined) throw new PlatformError(line, excess);
  }

  /** Makes cables of the routes, once all of them are known. O(links of routes), and as {@link waysBetween}. */
  finish(): Fabric {
    const laid = layRoutes(this.routes, this.builder, this.#backbones);
    for (const { name, place } of this.hosts) this.builder.addHost(name, place);
    this.warn(laid.hubs);
    const tiers = this.#tiersOfTree();
    if (tiers !== undefined) return { ...this.builder.finish('simgrid', tiers), routing: 'fat-tree' };
    const routes = this.#routesOfTorus() ?? this.#routesOfHosts(laid);
    if (routes !== undefined) return { ...this.builder.finish('simgrid'), routes };
    const oneWay = this.routes.filter(({ isBothWays }) => !isBothWays).length;
    if (oneWay > 0) this.builder.warn(`Asymmetric routes: ${oneWay}. Their links count in both directions.`);
    const passive = this.#passive(laid.neighbours);
    if (this.cancellation.isCancelled()) return this.builder.finish('simgrid');
    const lost = lostRoutes(this.routes, laid, passive);
    const [first] = lost;
    if (first !== undefined) {
      this.builder.warn(
        `${countOf(lost.length, 'route')} of the file ${lost.length === 1 ? 'is' : 'are'} not the only minimal route. Messages take minimal routes.`,
        first.line,
      );
    }
    return this.builder.finish('simgrid', undefined, [...passive.values()]);
  }

  /**
   * The route of each host to each other one, where all hosts are in one zone with routes of its own. Undefined for other platforms, and
   * where routes are missing such that some hosts have no way to each other.
   */
  #routesOfHosts(laid: LaidRoutes): Fabric['routes'] {
    const [routing, another] = this.#routings;
    const others = this.counts.hosts + this.told.peers;
    if (routing === undefined || another !== undefined || this.#hasZoneRoutes || others > 0) return undefined;
    if (this.hosts.length > mostHostsOfRoutes || this.places.size > 2 * mostHostsOfRoutes) return undefined;
    const found = waysBetween(
      this.hosts.map(({ place }) => place),
      this.routes,
      laid,
      (passesOn.exec(routing)?.[1] as ZoneRouting | undefined) ?? 'full',
    );
    if (found === undefined) return undefined;
    this.#tellOfPassing(this.hosts.flatMap(({ name, place }) => (found.through.has(place) ? [name] : [])));
    return found.ways;
  }

  /** Whether all hosts are in the one cluster of a kind. */
  #isAlone({ hosts }: BuiltCluster, another: BuiltCluster | undefined): boolean {
    return another === undefined && this.hosts.length + this.told.peers === 0 && this.counts.hosts === hosts;
  }

  /** Where all hosts and switches are of one fat tree, which SimGrid routes by D-mod-K; of others is told that they are routed so. */
  #tiersOfTree(): BuiltCluster['tiers'] {
    const [tree, another] = this.#trees;
    if (tree === undefined) return undefined;
    if (this.#isAlone(tree, another) && tree.tiers?.length === this.builder.routerCount) {
      if (tree.isParallel === true)
        this.builder.warn('SimGrid orders parallel links of the fat tree differently. Pairs may use another switch.');
      return tree.tiers;
    }
    this.builder.warn(
      `Fat trees: ${this.#trees.length}. SimGrid uses one minimal route per pair (D-mod-K); here messages use all of them.`,
    );
    return undefined;
  }

  /** Where all hosts are in one torus; of other tori is told that they are routed otherwise. */
  #routesOfTorus(): Fabric['routes'] {
    const [torus, another] = this.#tori;
    if (torus === undefined || torus.hosts < 2) return undefined;
    if (this.#isAlone(torus, another) && torus.routes !== undefined && torus.routes.length > 0) return torus.routes;
    this.builder.warn(
      `Dimension-order routes are read for a single torus of at most ${mostHostsOfRoutes} hosts. Messages take all minimal routes.`,
    );
    return undefined;
  }

  #tellOfPassing(names: readonly string[]): void {
    if (names.length === 0) return;
    this.builder.warn(
      `Some hosts have no route to each other. Their messages pass through ${names.length === 1 ? quote(names[0]!) : countOf(names.length, 'host')}, which SimGrid does not allow.`,
    );
  }

  /**
   * Hosts with several links of their own, which pass nothing on; others are at the end of every route anyway. Where the file has no route
   * between some hosts, messages between them go through as few hosts as connect all, the first of the file first.
   */
  #passive(neighbours: LaidRoutes['neighbours']): ReadonlyMap<number, string> {
    const several = this.hosts.filter(({ place, passesOn }) => !passesOn && (neighbours.get(place)?.size ?? 0) > 1);
    const passive = new Map(several.map(({ name, place }) => [place, name]));
    const passing: string[] = [];
    for (const [place, name] of passive) {
      if (this.#connectsHosts(passive, neighbours)) break;
      if (this.hosts.length > mostHostsOfRoutes) passive.clear();
      else passive.delete(place);
      passing.push(name);
    }
    this.#tellOfPassing(passing);
    return passive;
  }

  /** Whether each host reaches all others without a way through one that is passive. O(hosts · cables). */
  #connectsHosts(passive: ReadonlyMap<number, string>, neighbours: LaidRoutes['neighbours']): boolean {
    return this.hosts.every(({ place: start }) => {
      const reached = new Set([start]);
      for (const place of reached) {
        if (place !== start && passive.has(place)) continue;
        for (const next of neighbours.get(place) ?? []) reached.add(next);
      }
      return this.hosts.every(({ place }) => reached.has(place));
    });
  }

  private warn(hubs: number): void {
    const { halfDuplex, backbones, unevenHostLinks, peers, dragonflies, cores, loopbacks } = this.told;
    const { builder } = this;
    if (this.hosts.length > 0)
      builder.warn(
        `${countOf(this.hosts.length, 'host')} with routes of their own: each becomes a switch with this host.`,
      );
    if (hubs > 0)
      builder.warn(
        `${countOf(hubs, 'link')} shared by several routes: each becomes a switch. Its links have the same bandwidth and half the latency.`,
      );
    if (backbones > 0)
      builder.warn(
        `${countOf(backbones, 'cluster')} with a backbone. Its bandwidth limits each host separately, not all hosts together.`,
      );
    if (unevenHostLinks > 0)
      builder.warn(
        `Host links with different directions: ${unevenHostLinks}. The smaller bandwidth and the mean latency count.`,
      );
    if (halfDuplex > 0)
      builder.warn(
        `Links with policy SHARED (one bandwidth for both directions): ${halfDuplex}. Each direction gets the full bandwidth.`,
      );
    if (dragonflies > 0)
      builder.warn(
        `Dragonflies: ${dragonflies}. SimGrid uses one minimal route per pair; here messages use all of them.`,
      );
    if (peers > 0) builder.warn(`Peers with bandwidths in and out: ${peers}. The smaller counts.`);
    if (loopbacks > 0) builder.warn(`Routes from an end to itself: ${loopbacks}; skipped.`);
    const [bypass] = this.#bypasses;
    if (bypass !== undefined)
      builder.warn(`Bypass routes: ${this.#bypasses.length}, skipped. Messages take the other routes.`, bypass.line);
    const many = Array.from(cores).filter((count) => count !== '1');
    if (many.length > 0)
      builder.warn(`Hosts have ${many.join(', ')} cores in \`core\`. Write \`cores\` in the machine.`);
  }
}

interface PlatformHost {
  readonly name: string;
  /** The switch that it is. */
  readonly place: number;
  /** Routes lead through it. */
  readonly passesOn: boolean;
}

/** Routings of zones that find routes through hosts. */
const passesOn = /^(floyd|dijkstra)/;

/**
 * Attributes that are read, behind the bar those that are knowingly ignored: what hosts compute and store, what changes over time, messages of a host to
 * itself, and positions in drawings. `limiter_link` and Vivaldi's `coordinates` are neither: they change times, and a warning tells of them.
 */
const attributesOf: KnownElements = {
  platform: '| version',
  zone: 'id routing',
  AS: 'id routing',
  host: 'id core | speed power pstate availability availability_file speed_file state_file',
  router: 'id |',
  link: 'id bandwidth latency sharing_policy | bandwidth_file latency_file state_file',
  cluster:
    'id prefix suffix radical bw lat sharing_policy topology topo_parameters core bb_bw bb_lat router_id | bb_sharing_policy speed power pstate loopback_bw loopback_lat availability_file state_file',
  peer: 'id bw_in bw_out lat | speed power availability_file speed_file state_file',
  host_link: 'id up down |',
  backbone: 'id bandwidth latency |',
  route: 'src dst symmetrical |',
  zoneRoute: 'src dst gw_src gw_dst gwSrc gwDst symmetrical |',
  ASroute: 'src dst gw_src gw_dst gwSrc gwDst symmetrical |',
  link_ctn: 'id | direction',
};

/** Elements with warnings of their own, and elements whose attributes say nothing of the network. */
const otherElements =
  'cabinet include bypassRoute bypassZoneRoute bypassASroute config prop model_prop storage storage_type mount mstorage content disk trace trace_connect random process actor argument';

const knownElements: KnownElements = {
  ...attributesOf,
  ...Object.fromEntries(otherElements.split(' ').map((name) => [name, 'any'])),
};

/** Routes are looked through for their way back. */
const largestRoutes = 4096;

const isSameSet = (one: readonly PlatformLink[], other: readonly PlatformLink[]): boolean =>
  one.length === other.length && one.every((link) => other.includes(link));

function rateOf(text: string | undefined, line: number): number {
  const rate = bytesPerSecond(text ?? '');
  if (rate !== undefined) return rate;
  throw new PlatformError(
    line,
    `Invalid bandwidth ${quote(text ?? '')}. Expected a number with Bps or bps, as in 125MBps.`,
  );
}

/** Nothing is 0. */
function timeOf(text: string | undefined, line: number): number {
  const time = secondsOf(text ?? '0');
  if (time !== undefined) return time;
  throw new PlatformError(
    line,
    `Invalid latency ${quote(text ?? '')}. Expected a number with s, ms, us or ns, as in 50us.`,
  );
}

/** O(text + what clusters stand for). */
async function readSimgrid(text: string, fileName: string, cancellation: Cancellation): Promise<Result<Fabric>> {
  const { readXml } = await import('../xmlParser.ts');
  const document = readXml(text, ['platform']);
  if (!document.ok) return badFabric(fileName, document.failure.line, document.failure.message);
  const platform = new Platform(cancellation);
  try {
    platform.zone(document.value);
    const fabric = platform.finish();
    const others = unknownInXml(document.value, knownElements);
    return succeed({ ...fabric, warnings: [...fabric.warnings, ...others] });
  } catch (error) {
    if (error instanceof PlatformError) return badFabric(fileName, error.line, error.message);
    throw error;
  }
}

export const simgridPlatform: MachineFormatEntry = {
  name: 'simgrid',
  summary: 'platform of SimGrid in XML',
  source: 'Casanova et al., SimGrid, JPDC 74 (2014); simgrid.dtd 4.1',
  details:
    'Clusters (stars, `FAT_TREE`, `DRAGONFLY`, `TORUS`) and zones. Zones have hosts, routers, links and routes, ' +
    'with bandwidths and latencies. A route is a link; a link shared by several routes is a switch. If all hosts ' +
    'are in one zone or one torus, each pair keeps its route. If all are in one fat tree, `routing fat-tree` is ' +
    'the SimGrid routing (D-mod-K). Host speeds and availability files are skipped.',
  options: [],
  recognizes: (text) => /<platform[\s>]/.test(text),
  largestText: largestXml,
  read: readSimgrid,
};
