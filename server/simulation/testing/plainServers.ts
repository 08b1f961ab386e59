import type { Machine } from '../../model/machine.ts';
import { cacheBuffer, remoteCopy, type ServerOptions } from '../engines/servers/servers.ts';

interface Visit {
  readonly kind: string;
  readonly server: string;
  readonly service: number;
}

interface Sent {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/**
 * The cluster of servers once more, as plainly as can be: every server has a queue, a message visits one server after the
 * other, and one list holds all that will happen, which is searched from end to end each time. Constant service. Cycles of
 * arrival by message, and cycles waited by kind of server.
 */
export function plainServers(
  machine: Machine,
  options: ServerOptions,
  messages: readonly Sent[],
): { readonly arrived: number[]; readonly waiting: Readonly<Record<string, number>> } {
  const pending: { time: number; message: number; visit: number; ends: boolean }[] = [];
  const queues = new Map<string, { message: number; visit: number; since: number }[]>();
  const routes = messages.map((message) => visitsOf(machine, options, message));
  const waiting: Record<string, number> = { queuePair: 0, processing: 0, port: 0, switch: 0, memory: 0, cache: 0 };
  const arrived: number[] = [];

  const serveNext = (name: string, time: number): void => {
    const first = queues.get(name)![0];
    if (first === undefined) return;
    const { kind, service } = routes[first.message]![first.visit]!;
    waiting[kind] = waiting[kind]! + time - first.since;
    pending.push({ time: time + service, message: first.message, visit: first.visit, ends: true });
  };
  const come = (message: number, visit: number, time: number): void => {
    const { server } = routes[message]![visit]!;
    if (!queues.has(server)) queues.set(server, []);
    const queue = queues.get(server)!;
    queue.push({ message, visit, since: time });
    if (queue.length === 1) serveNext(server, time);
  };

  for (const [message, { at }] of messages.entries()) pending.push({ time: at + 1, message, visit: 0, ends: false });
  while (pending.length > 0) {
    let first = 0;
    for (let index = 1; index < pending.length; index++) {
      const [one, best] = [pending[index]!, pending[first]!];
      // What ends at a time is before what comes at it.
      if (one.time < best.time || (one.time === best.time && one.ends && !best.ends)) first = index;
    }
    const [{ time, message, visit, ends }] = pending.splice(first, 1) as [(typeof pending)[number]];
    if (!ends) {
      come(message, visit, time);
      continue;
    }
    const { server } = routes[message]![visit]!;
    queues.get(server)!.shift();
    serveNext(server, time);
    if (visit + 1 < routes[message]!.length) come(message, visit + 1, time);
    else arrived[message] = Math.ceil(time) - 1;
  }
  return { arrived, waiting };
}

function visitsOf(machine: Machine, { figures, cache }: ServerOptions, { from, to, bytes }: Sent): Visit[] {
  const { coresPerNode, inside } = machine;
  const coresPerSocket = inside.coresOfSockets[0]!;
  const [node, other] = [Math.floor(from / coresPerNode), Math.floor(to / coresPerNode)];
  const [socket, otherSocket] = [Math.floor(from / coresPerSocket), Math.floor(to / coresPerSocket)];
  const visit = (kind: string, which: string, seconds: number): Visit => ({
    kind,
    server: `${kind} ${which}`,
    service: seconds / 1e-9,
  });
  const copy = bytes / figures.memory;
  if (node === other) {
    if (cache !== undefined && socket === otherSocket && bytes <= cacheBuffer)
      return [visit('cache', `${socket}`, bytes / cache), visit('cache', `${socket}`, bytes / cache)];
    const factor = socket === otherSocket ? 1 : remoteCopy;
    return [visit('memory', `${socket}`, copy), visit('memory', `${otherSocket}`, copy * factor)];
  }
  const handling = figures.messageHandling(bytes);
  return [
    visit('queuePair', `from ${from}`, handling),
    visit('memory', `${socket}`, copy),
    visit('processing', `from ${from}`, handling),
    visit('port', `out ${node}`, bytes / figures.interface),
    visit('switch', `in ${node}`, figures.switchTime),
    visit('switch', `out ${other}`, figures.switchTime),
    visit('port', `in ${other}`, bytes / figures.interface),
    visit('processing', `to ${to}`, handling),
    visit('queuePair', `to ${to}`, handling),
    visit('memory', `${otherSocket}`, copy),
  ];
}
