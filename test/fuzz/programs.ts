import { shuffle, type RandomSource } from '../../server/model/random.ts';

/**
 * Programs at random, most of them right: every property of the language, names that are keywords or of other
 * scripts, offsets with and without commas, and all that may stand between two tokens.
 */

type Tokens = readonly string[];

const names = ['a', 'grid', 'map', 'job', 'same-as', 'x', 'x4', 'größe', 'задача', 'first-try', '_1', 'weight', 'from'];
const comments = ['/* c */', '/* two\n lines */', '// c\n', '/// doc\n', '//// plain\n'];
const lineGaps = ['\n', '\n', '\r\n', '\n\n\n', '\r', ' \n\t'];
const blanks = [' ', ' ', ' ', '  ', '\t', '', '', '\u00a0', '\u2028', '\ufeff', '      '];

const pick = <Item>(items: readonly Item[], random: RandomSource): Item => items[random.integer(items.length)]!;
const number = (random: RandomSource, bound = 20): string => String(random.integer(bound));
const count = (random: RandomSource, bound: number): string => String(1 + random.integer(bound));

/** From none to `most` of what `make` gives. */
const several = <Item>(least: number, most: number, random: RandomSource, make: () => Item): Item[] =>
  Array.from({ length: least + random.integer(most - least + 1) }, make);

const separated = (items: readonly Tokens[], separator: string): Tokens =>
  items.flatMap((item, index) => (index === 0 ? item : [separator, ...item]));

const shape = (random: RandomSource, sides: number): Tokens =>
  separated(
    several(sides, sides, random, () => [count(random, 4)]),
    random.integer(8) === 0 ? '×' : 'x',
  );

const list = (random: RandomSource): Tokens => [
  '[',
  ...separated(
    several(1, 4, random, () =>
      random.integer(3) === 0 ? [number(random, 8), '..', number(random, 16)] : [number(random, 16)],
    ),
    ',',
  ),
  ']',
];

function machine(name: string, random: RandomSource): Tokens {
  const topology = pick<Tokens>(
    [
      ['torus', ...shape(random, 2)],
      ['mesh', ...shape(random, 3)],
      ['hypercube', count(random, 4)],
      ['cluster', count(random, 16)],
      ['fat-tree', '(', 'k', '2', ',', 'n', count(random, 3), ')'],
      ['dragonfly', '(', 'p', '1', ',', 'a', '2', ',', 'h', '1', ')'],
      ['from', '"f.txt"', 'as', 'csv'],
      ['switches', '3'],
    ],
    random,
  );
  const cables = topology[0] === 'switches' ? [['link', '0', '--', '1', ',', '2']] : [];
  const more: Tokens[] = [
    ['cores', count(random, 4)],
    ['sockets', count(random, 2)],
    ['bandwidth', count(random, 10), 'GB', '/', 's'],
    ['latency', '1.5', pick(['us', 'µs', 'ns'], random)],
    ['memory', count(random, 10), 'GiB/s'],
    ['switch', '100', 'ns'],
    ['routing', 'minimal'],
  ];
  return block('machine', name, [['topology', ...topology], ...cables, ...someOf(more, random)], random);
}

function job(name: string, declared: Names, random: RandomSource): Tokens {
  const isGrid = random.integer(2) === 0;
  const dimensions = 1 + random.integer(3);
  const size: Tokens = isGrid ? ['grid', ...shape(random, dimensions)] : ['tasks', count(random, 16)];
  const fitting = ['three-point', 'five-point', 'seven-point'][dimensions - 1]!;
  const source = pick<Tokens>(
    [
      ['pattern', pick(['ring', 'all-to-all', 'linear'], random)],
      ['stencil', isGrid && random.integer(3) > 0 ? fitting : pick([...declared.stencil, 'five-point'], random)],
      ['table', pick([...declared.table, 'none'], random)],
      ['trace', '"t.csv"'],
    ],
    random,
  );
  const more: Tokens[] = [
    ['bytes', number(random, 300), ...pick<Tokens>([[], ['KiB'], ['B'], ['kB']], random)],
    ['messages', number(random)],
    ['rate', '100', '/', 's'],
    ['periodic'],
    ['coordinates', '"xy.txt"'],
  ];
  return block('job', name, [size, source, ...someOf(more, random)], random);
}

function stencil(name: string, random: RandomSource): Tokens {
  const dimensions = 1 + random.integer(3);
  const step = (): string => pick(['0', '1', '-1', '2', '-12', '10', '622'], random);
  const offset = (): Tokens => {
    const numbers = several(dimensions, dimensions, random, step);
    const body = numbers.flatMap((each, index) => (index > 0 && random.integer(2) === 0 ? [',', each] : [each]));
    return ['offset', '(', ...body, ')', ...(random.integer(3) === 0 ? ['weight', '0.5'] : [])];
  };
  return block('stencil', name, [['dimensions', String(dimensions)], ...several(1, 4, random, offset)], random);
}

function table(name: string, random: RandomSource): Tokens {
  if (random.integer(5) === 0) return ['table', name, 'from', '"cg.mtx"'];
  const entry = (): Tokens => [number(random, 8), '->', number(random, 8), ':', pick(['40', '0.5', '1e3'], random)];
  const unit: Tokens[] = random.integer(3) === 0 ? [['unit', pick(['bytes', 'packets'], random)]] : [];
  return block('table', name, [...unit, ...several(1, 4, random, entry)], random);
}

function placement(name: string, declared: Names, random: RandomSource): Tokens {
  const aJob = (): string => pick([...declared.job, 'gone'], random);
  const map: () => Tokens = () => [
    'map',
    ...pick<Tokens>(
      [
        ['rcb'],
        ['auto', '(', 'budget', '9', ')'],
        ['given', ...list(random)],
        ['random-search', '(', 'seeds', '3', ',', 'criterion', 'hop-bytes', ')'],
      ],
      random,
    ),
  ];
  const allocate: () => Tokens = () => [
    'allocate',
    ...pick<Tokens>(
      [
        ['all'],
        ['nodes', ...list(random)],
        ['random', '(', 'count', count(random, 16), ')'],
        ['same-as', pick([...declared.placement, name], random)],
      ],
      random,
    ),
  ];
  const own = (): Tokens =>
    random.integer(3) === 0
      ? ['(', ...separated(pick([[allocate()], [map()], [allocate(), map()]], random), ','), ')']
      : [];
  const jobs: Tokens =
    random.integer(2) === 0
      ? ['job', aJob(), ...own()]
      : [
          'jobs',
          ...separated(
            several(1, 3, random, () => [aJob(), ...own()]),
            ',',
          ),
        ];
  const more: Tokens[] = [map(), allocate(), ['seed', number(random)]];
  return block(
    'placement',
    name,
    [jobs, ['machine', pick([...declared.machine, 'm'], random)], ...someOf(more, random)],
    random,
  );
}

function stream(name: string, random: RandomSource): Tokens {
  const distribution = (): Tokens =>
    pick<Tokens>(
      [
        ['exponential', '(', 'rate', '9e-4', ')'],
        ['uniform', '(', '1', ',', count(random, 9), ')'],
        ['weighted', '[', '2', ':', '40', '%', ',', '4', ':', '0.6', ']'],
        ['decreasing', '(', 'limits', '[', '2', ',', '4', ']', ',', 'shares', '[', '40', '%', ',', '60', '%', ']', ')'],
        ['at', '[', '0', ',', '2.5', ']'],
      ],
      random,
    );
  const more: Tokens[] = [
    ['service', 'from-network', '+', ...distribution()],
    ['jobs', number(random, 900), pick(['completed', 'arrived'], random)],
    ['warm-up', number(random, 99), '%'],
    ['measure', 'where', 'processors', pick(['>', '<=', '!='], random), '1', ',', 'run', '>', '0'],
    ['log', '"a.swf.gz"'],
    ['scale', 'submit', '0.8'],
  ];
  return block(
    'stream',
    name,
    [['arrivals', ...distribution()], ['processors', ...distribution()], ...someOf(more, random)],
    random,
  );
}

function network(name: string, random: RandomSource): Tokens {
  const more: Tokens[] = [
    ['queue', '4', 'packets'],
    ['bubble', '2', '(', 'here', ')'],
    ['router', count(random, 9), 'cycles'],
    ['link', '10', 'ns'],
    ['flit', '4', 'B'],
    ['routing', 'adaptive'],
  ];
  return block('network', name, [['switching', 'wormhole'], ...someOf(more, random)], random);
}

function experiment(name: string, declared: Names, random: RandomSource): Tokens {
  const more: Tokens[] = [
    ['vary', 'arrivals', '.', 'rate', '2e-4', '..', '1e-3', 'step', '1e-4'],
    ['replications', 'until', '5', '%', 'at', '95', '%', '(', 'at', 'most', '9', ')'],
    ['schedule', 'fcfs', ',', 'easy'],
    ['network', pick([...declared.network, 'wormhole'], random)],
    ['report', 'turnaround', ',', 'utilisation'],
    ['quoted', '{', 'turnaround', 'first-fit', '/', 'fcfs', ':', '1.01', '}'],
  ];
  const needed: Tokens[] = [
    ['stream', pick([...declared.stream, 's'], random)],
    ['machine', pick([...declared.machine, 'm'], random)],
    ['allocate', 'first-fit'],
  ];
  return block('experiment', name, [...needed, ...someOf(more, random)], random);
}

function someOf(properties: readonly Tokens[], random: RandomSource): Tokens[] {
  const order = Array.from(properties.keys());
  shuffle(order, random);
  return order.slice(0, random.integer(4)).map((index) => properties[index]!);
}

function block(kind: string, name: string, properties: readonly Tokens[], random: RandomSource): Tokens {
  const order = Array.from(properties.keys());
  shuffle(order, random);
  return [kind, name, '{', ...order.flatMap((index) => ['', ...properties[index]!]), '', '}', ''];
}

type Names = Readonly<
  Record<'machine' | 'job' | 'stencil' | 'table' | 'placement' | 'stream' | 'network' | 'experiment', string[]>
>;

/** A program of a few declarations. The empty token stands for a place where a line may break without harm. */
function tokensOf(random: RandomSource): Tokens {
  const declared: Names = {
    machine: [],
    job: [],
    stencil: [],
    table: [],
    placement: [],
    stream: [],
    network: [],
    experiment: [],
  };
  const tokens: string[] = random.integer(20) === 0 ? ['import', '"other.place"', ''] : [];
  const make = {
    machine,
    stencil,
    table,
    job: (name: string) => job(name, declared, random),
    placement: (name: string) => placement(name, declared, random),
    stream,
    network,
    experiment: (name: string) => experiment(name, declared, random),
  };
  const kinds = [
    'machine',
    'stencil',
    'table',
    'job',
    'job',
    'placement',
    'placement',
    'stream',
    'network',
    'experiment',
  ] as const;
  for (const kind of kinds) {
    if (random.integer(5) < 2) continue;
    const name = pick(names, random);
    tokens.push(...make[kind](name, random));
    if (!declared[kind].includes(name)) declared[kind].push(name);
  }
  return tokens;
}

/** The text of a program: between tokens whatever may stand there, and now and then what may not. */
export function programAtRandom(random: RandomSource): string {
  const oddness = pick([0, 0, 1, 4], random);
  let text = '';
  for (const token of tokensOf(random)) {
    if (token === '') {
      text += random.integer(6) === 0 ? pick(blanks, random) + ' ' : pick(lineGaps, random) + pick(blanks, random);
      if (random.integer(12) === 0) text += pick(comments, random);
      continue;
    }
    const isOdd = random.integer(16) < oddness;
    const gap = isOdd ? pick([...blanks, ...blanks, ...comments, ...lineGaps], random) : ' ';
    text += gap + token;
  }
  return text;
}
