import type { Cancellation } from '../../model/cancellation.ts';
import type { Fabric } from '../../model/fabric.ts';
import { countOf } from '../../model/quantities.ts';
import { quote, type Result, succeed } from '../../model/result.ts';
import type { MachineFormatEntry } from '../contract.ts';
import { largestXml, readXml, type XmlElement } from '../xmlElements.ts';
import type { LinkSpeed } from '../../model/machine.ts';
import { FabricBuilder, fabricLimits, badFabric, faultOfCount } from './builder.ts';
import { bytesPerSecond, secondsOf } from './linkSpeeds.ts';
import { buildCluster, faultOfCluster } from './simgridClusters.ts';

/**
 * Platforms of SimGrid: zones of hosts and routers with routes over links, and clusters. A route is a cable with the
 * slowest bandwidth and the summed latency of its links; a link that several routes share is a switch of its own, on
 * cables with its bandwidth, since it is one resource for all.
 */

/** What goes wrong in the middle of building; caught at the top. */
class PlatformError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

interface PlatformLink extends LinkSpeed {
  readonly name: string;
  /** Routes that cross it. */
  routes: number;
  /** The switch that it is where several routes share it. */
  hub?: number;
}

interface Route {
  readonly from: number;
  readonly to: number;
  readonly links: readonly PlatformLink[];
}

/** A platform while it is read. */
class Platform {
  readonly builder = new FabricBuilder();
  /** Ids of what is part of a star: read before all else of its zone. */
  readonly #starred = new Set<string>();
  readonly #neighbours = new Map<number, Set<number>>();
  /** Routers, gateways and hosts by name: the switch that they are. */
  private readonly places = new Map<string, number>();
  private readonly links = new Map<string, PlatformLink>();
  private readonly routes: Route[] = [];
  private readonly hosts: { readonly name: string; readonly place: number }[] = [];
  /** The default gateway of a zone. */
  private readonly gateways = new Map<string, number>();
  private readonly counts = { cables: 0, hosts: 0 };
  private readonly cancellation: Cancellation;
  readonly told = {
    halfDuplex: 0,
    backbones: 0,
    peers: 0,
    oneWay: 0,
    cores: new Set<string>(),
    loopbacks: 0,
    unknown: new Map<string, { readonly count: number; readonly line: number }>(),
  };

  constructor(cancellation: Cancellation) {
    this.cancellation = cancellation;
  }

  /** Reads a zone's own elements, then its routes. As deep as the file. */
  zone(element: XmlElement): void {
    if (this.cancellation.isCancelled()) return;
    this.star(element);
    for (const child of element.children) this.element(child);
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
    if (first === undefined) return;
    for (const child of children) if (child.name === 'link') this.link(child);
    const [router, backbone] = ['router', 'backbone'].map((kind) => children.find(({ name }) => name === kind));
    const id = (router ?? backbone)?.attributes['id'] ?? attributes['id'] ?? '';
    const place = this.place(id, first.line);
    this.#starred.add(id);
    const latency = backbone === undefined ? 0 : this.#backbone(backbone) / 2;
    const hosts = new Map(
      children.filter(({ name }) => name === 'host').map((host) => [host.attributes['id'] ?? '', host]),
    );
    for (const hostLink of hostLinks)
      this.#attach(hosts.get(hostLink.attributes['id'] ?? ''), hostLink, place, latency);
  }

  /** Its latency, seconds. */
  #backbone({ attributes, line }: XmlElement): number {
    rateOf(attributes['bandwidth'], line);
    this.told.backbones++;
    return timeOf(attributes['latency'], line);
  }

  /** `latency`: of what lies behind the link of the host, seconds. */
  #attach(host: XmlElement | undefined, { attributes, line }: XmlElement, place: number, latency: number): void {
    const name = attributes['id'] ?? '';
    if (host === undefined) throw new PlatformError(line, `The host ${quote(name)} is not in this zone.`);
    if (this.places.has(name)) throw new PlatformError(line, `${quote(name)} is declared twice: ids are one in a platform.`); // prettier-ignore
    const ways = ['up', 'down'].map((way) => this.linkOf(attributes[way] ?? '', line));
    this.told.cores.add(host.attributes['core'] ?? '1');
    const own = ways.reduce((sum, link) => sum + (link.latency ?? 0), 0) / ways.length;
    this.builder.addHost(name, place, { ...inSeries(ways), latency: own + latency });
    this.check('hosts', ++this.counts.hosts, line);
    this.places.set(name, place);
    this.#starred.add(name);
  }

  private linkOf(id: string, line: number): PlatformLink {
    const link = this.links.get(id) ?? this.links.get(id.replace(/_(?:UP|DOWN)$/, ''));
    if (link === undefined) throw new PlatformError(line, `The link ${quote(id)} is not declared before it is used.`);
    return link;
  }

  private element(child: XmlElement): void {
    const { attributes, line } = child;
    const id = attributes['id'] ?? '';
    const readers: Readonly<Record<string, () => void>> = {
      router: () => {
        if (!this.#starred.has(id)) this.place(id, line);
      },
      host: () => {
        if (!this.#starred.has(id)) this.host(id, line, attributes['core']);
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
        throw new PlatformError(line, 'Cabinets are not read: write a `<cluster>`.');
      },
      include: () => {
        throw new PlatformError(line, 'The file includes another one, which is not read: put both into one file.');
      },
    };
    if (Object.hasOwn(readers, child.name)) readers[child.name]?.();
    else if (!passedOver.has(child.name)) this.#unknown(child);
  }

  #unknown({ name, line }: XmlElement): void {
    const known = this.told.unknown.get(name) ?? { count: 0, line };
    this.told.unknown.set(name, { ...known, count: known.count + 1 });
  }

  private place(id: string, line: number): number {
    if (id === '') throw new PlatformError(line, 'A host or router has no `id`.');
    if (this.places.has(id))
      throw new PlatformError(line, `${quote(id)} is declared twice: ids are one in a platform.`);
    const place = this.builder.addRouter(id);
    this.check('switches', place + 1, line);
    this.places.set(id, place);
    return place;
  }

  private host(id: string, line: number, cores = '1'): void {
    const place = this.place(id, line);
    this.told.cores.add(cores);
    this.hosts.push({ name: id, place });
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

  private cluster(element: XmlElement): void {
    const { attributes, line } = element;
    const fault = faultOfCluster(attributes);
    if (fault !== undefined) throw new PlatformError(line, fault);
    const link = { bandwidth: rateOf(attributes['bw'], line), latency: timeOf(attributes['lat'], line) };
    const built = buildCluster(attributes, link, this.builder);
    if (typeof built === 'string') throw new PlatformError(line, built);
    this.told.cores.add(attributes['core'] ?? '1');
    if (/^(?:SHARED|HALFDUPLEX)$/i.test(attributes['sharing_policy'] ?? '')) this.told.halfDuplex++;
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
    if (attributes['bb_bw'] === undefined) return;
    // What leaves the cluster crosses its backbone; what stays inside does so as well, which one switch does not show.
    this.told.backbones++;
    rateOf(attributes['bb_bw'], line);
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
    const isTold = this.routes.some((route) => route.from === to && route.to === from && isSameSet(route.links, links));
    if (isTold) return;
    if (/^no$/i.test(attributes['symmetrical'] ?? '')) this.told.oneWay++;
    for (const link of links) link.routes++;
    if (this.routes.push({ from, to, links }) > largestRoutes) throw new PlatformError(line, `There are more than ${largestRoutes} routes, the most that are read.`); // prettier-ignore
  }

  private endOf(gateway: string | undefined, id: string, line: number): number {
    const place = this.places.get(gateway ?? id) ?? (gateway === undefined ? this.gateways.get(id) : undefined);
    if (place !== undefined) return place;
    throw new PlatformError(line, `The route ends at ${quote(gateway ?? id)}, which is not declared before it.`);
  }

  private check(kind: keyof typeof fabricLimits, count: number, line: number): void {
    const excess = faultOfCount(kind, count);
    if (excess !== undefined) throw new PlatformError(line, excess);
  }

  /** Makes cables of the routes, once all of them are known. O(links of routes). */
  finish(): Fabric {
    let hubs = 0;
    const seen = new Set<string>();
    const join = (from: number, to: number, speed: LinkSpeed): void => {
      // The cable between two hubs is one, however many routes take it.
      const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
      if (from === to || seen.has(key)) return;
      seen.add(key);
      this.builder.addCable(from, to, speed);
      for (const [one, other] of [[from, to], [to, from]] as const) this.#neighbours.set(one, (this.#neighbours.get(one) ?? new Set()).add(other)); // prettier-ignore
    };
    for (const { from, to, links } of this.routes) {
      let [here, waiting]: [number, LinkSpeed[]] = [from, []];
      for (const link of links) {
        if (link.routes < 2) {
          waiting.push(link);
          continue;
        }
        if (link.hub === undefined) hubs++;
        link.hub ??= this.builder.addRouter(link.name);
        join(here, link.hub, inSeries([...waiting, halved(link)]));
        [here, waiting] = [link.hub, [halved(link)]];
      }
      join(here, to, inSeries(waiting));
    }
    for (const { name, place } of this.hosts) this.builder.addHost(name, place);
    this.warn(hubs);
    return this.builder.finish('simgrid', undefined, this.#passive());
  }

  /**
   * Hosts with several links of their own, which pass nothing on; others are at the end of every route anyway. Where the file has no route
   * between some hosts, messages between them go through as few hosts as connect all, the first of the file first.
   */
  #passive(): readonly string[] {
    const passive = new Map(this.hosts.filter(({ place }) => (this.#neighbours.get(place)?.size ?? 0) > 1).map(({ name, place }) => [place, name])); // prettier-ignore
    const passing: string[] = [];
    for (const [place, name] of passive) {
      if (this.#connectsHosts(passive)) break;
      if (this.hosts.length > mostHostsOfRoutes) passive.clear();
      else passive.delete(place);
      passing.push(name);
    }
    if (passing.length > 0) {
      this.builder.warn(`Some hosts have no route to each other. Their messages go through ${passing.length === 1 ? quote(passing[0]!) : countOf(passing.length, 'host')}, which SimGrid does not allow.`); // prettier-ignore
    }
    return [...passive.values()];
  }

  /** Whether each host reaches all others without a way through one that is passive. O(hosts · cables). */
  #connectsHosts(passive: ReadonlyMap<number, string>): boolean {
    return this.hosts.every(({ place: start }) => {
      const reached = new Set([start]);
      for (const place of reached) {
        if (place !== start && passive.has(place)) continue;
        for (const next of this.#neighbours.get(place) ?? []) reached.add(next);
      }
      return this.hosts.every(({ place }) => reached.has(place));
    });
  }

  private warn(hubs: number): void {
    const { halfDuplex, backbones, peers, oneWay, cores, loopbacks, unknown } = this.told;
    const { builder } = this;
    if (this.hosts.length > 0) builder.warn(`${countOf(this.hosts.length, 'host')} with routes of their own: each is a switch with itself on it.`); // prettier-ignore
    if (hubs > 0) builder.warn(`${countOf(hubs, 'link')} that several routes share: each is a switch with cables of its bandwidth and half its latency.`); // prettier-ignore
    if (backbones > 0) builder.warn(`${countOf(backbones, 'cluster')} with a backbone: its bandwidth is not counted, as one switch is between all hosts.`); // prettier-ignore
    if (halfDuplex > 0) builder.warn(`Links with the policy SHARED, one bandwidth for both ways: ${halfDuplex}. They count as having it each way.`); // prettier-ignore
    if (oneWay > 0) builder.warn(`Routes that are not symmetrical: ${oneWay}. Their cables count for both ways.`);
    if (peers > 0) builder.warn(`Peers, whose bandwidths in and out may differ: ${peers}. The smaller counts.`);
    if (loopbacks > 0) builder.warn(`Routes from an end to itself: ${loopbacks}; left out.`);
    for (const [name, { count, line }] of unknown) builder.warn(`Unknown element <${name}>, ${countOf(count, 'time')}: not read.`, line); // prettier-ignore
    const many = Array.from(cores).filter((count) => count !== '1');
    if (many.length > 0)
      builder.warn(`Hosts have ${many.join(', ')} cores by \`core\`: write \`cores\` in the machine.`);
  }
}

/** Elements that say nothing of the network, or that are read with others. */
const passedOver: ReadonlySet<string> = new Set(
  'route zoneRoute ASroute bypassRoute bypassZoneRoute bypassASroute host_link backbone config prop storage storage_type mount mstorage content disk trace trace_connect random process actor argument'.split(' '), // prettier-ignore
);

/** Of more hosts without routes to each other all pass messages on: to look for as few as possible would take long. */
const mostHostsOfRoutes = 256;

/** Routes are looked through for their way back. */
const largestRoutes = 4096;

const isSameSet = (one: readonly PlatformLink[], other: readonly PlatformLink[]): boolean =>
  one.length === other.length && one.every((link) => other.includes(link));

const halved = (link: PlatformLink): LinkSpeed => ({ ...link, latency: (link.latency ?? 0) / 2 });

/** Links one behind the other: the slowest, and all latencies. */
function inSeries(links: readonly LinkSpeed[]): LinkSpeed {
  const bandwidth = Math.min(...links.map((link) => link.bandwidth ?? Infinity));
  const latency = links.reduce((sum, link) => sum + (link.latency ?? 0), 0);
  return Number.isFinite(bandwidth) ? { bandwidth, latency } : {};
}

function rateOf(text: string | undefined, line: number): number {
  const rate = bytesPerSecond(text ?? '');
  if (rate !== undefined) return rate;
  throw new PlatformError(line, `${quote(text ?? '')} is no bandwidth: a number with Bps or bps is, as 125MBps.`);
}

/** Nothing is 0. */
function timeOf(text: string | undefined, line: number): number {
  const time = secondsOf(text ?? '0');
  if (time !== undefined) return time;
  throw new PlatformError(line, `${quote(text ?? '')} is no latency: a number with s, ms, us or ns is, as 50us.`);
}

/** O(text + what clusters stand for). */
function readSimgrid(text: string, fileName: string, cancellation: Cancellation): Result<Fabric> {
  const document = readXml(text, ['platform']);
  if (!document.ok) return badFabric(fileName, document.failure.line, document.failure.message);
  const platform = new Platform(cancellation);
  try {
    platform.zone(document.value);
    return succeed(platform.finish());
  } catch (error) {
    if (error instanceof PlatformError) return badFabric(fileName, error.line, error.message);
    throw error;
  }
}

export const simgrid: MachineFormatEntry = {
  name: 'simgrid',
  summary: 'platform of SimGrid in XML',
  source: 'Casanova et al., SimGrid, JPDC 74 (2014); simgrid.dtd 4.1',
  details:
    'Clusters (stars, `FAT_TREE`, `DRAGONFLY`, `TORUS`) and zones with hosts, routers, links and routes, with bandwidths and latencies. A route is a cable; a link that several routes share is a switch. Speeds of hosts and files of their availability are left out.',
  options: [],
  recognizes: (text) => /<platform[\s>]/.test(text),
  largestText: largestXml,
  read: readSimgrid,
};
