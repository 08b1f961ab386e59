import { beforeAll, describe, expect, it } from 'vitest';
import { expectGeneratedBlock } from '../docs/generatedBlock.ts';
import { floorOf, floors, narrowViews, pureRooms, readImports, type ImportMap } from './rooms.ts';

let imports: ImportMap;
beforeAll(async () => {
  imports = await readImports();
});

/** The house as Mermaid: floors as bands, one arrow for each pair of rooms that imports. */
function drawHouse(map: ImportMap): string {
  const lines = ['```mermaid', 'flowchart TD'];
  const used = new Set(map.arrows.flatMap((arrow) => [arrow.from, arrow.to]));
  [...floors].reverse().forEach((floor, index) => {
    const present = floor.filter((room) => used.has(room));
    if (present.length === 0) return;
    lines.push(`  subgraph floor${floors.length - 1 - index}[" "]`);
    for (const room of present) lines.push(`    ${idOf(room)}["${room}"]`);
    lines.push('  end');
  });
  const pairs = new Set(map.arrows.map((arrow) => `  ${idOf(arrow.from)} --> ${idOf(arrow.to)}`));
  return [...lines, ...[...pairs].sort(), '```'].join('\n');
}

const idOf = (room: string): string => room.replaceAll('/', '_');

describe('the rooms of the house', () => {
  it('were found at all', () => {
    expect(imports.arrows.length).toBeGreaterThan(50);
  });

  it('import only from floors below', () => {
    const upward = imports.arrows.filter(({ from, to }) => floorOf(from) <= floorOf(to));
    expect(upward.map(({ source, target }) => `${source} → ${target}`)).toEqual([]);
  });

  it('have no cycles of files', () => {
    expect(imports.cycles).toEqual([]);
  });

  it('hold every file', () => {
    expect(imports.strays).toEqual([]);
  });

  it('let the client and the panel know nothing of networks', () => {
    const beyond = imports.arrows.filter(({ from, to }) => narrowViews[from]?.includes(to) === false);
    expect(beyond.map(({ source, target }) => `${source} → ${target}`)).toEqual([]);
  });

  it('keep the engine free of packages and of Node', () => {
    const foreign = imports.packages.filter(
      ({ room, name }) => pureRooms[room]?.some((allowed) => name.startsWith(`${allowed}/`)) === false,
    );
    expect(foreign.map(({ source, name }) => `${source} → ${name}`)).toEqual([]);
  });

  it('are drawn in docs/architecture.md as they are', () => {
    expectGeneratedBlock('docs/architecture.md', 'rooms', drawHouse(imports));
  });
});
