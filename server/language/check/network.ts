import { type Choice, findEntry } from '../../model/catalogue.ts';
import {
  networkArbiters,
  networkEjections,
  networkRoutings,
  networkSelections,
  usualQueue,
  type Bubble,
  type Delay,
  type NetworkModel,
  type Switching,
} from '../../model/networkModel.ts';
import { switchingEntries } from '../experimentWords.ts';
import { amountLimit } from '../propertyForms.ts';
import { replace } from '../codes.ts';
import { oneOf } from '../suggestions.ts';
import type { ChoiceNode, DeclarationNode, Fix, OptionNode, PropertyNode } from '../tree.ts';
import { timeUnits } from '../units.ts';
import { checkChoice } from './choices.ts';
import { integerProperty, numberProperty } from './numbers.ts';
import { choiceWord } from './options.ts';
import { phraseOf } from './phrase.ts';
import { nameOf, propertiesOf, removal, reportMissing, type Properties, type Written } from './properties.ts';
import { quantityValue } from './quantities.ts';
import { expectationOf, type Scope } from './scope.ts';

/** Checks a network; undefined where something is missing or wrong. O(properties). */
export function checkNetwork(scope: Scope, declaration: DeclarationNode): NetworkModel | undefined {
  const properties = propertiesOf(scope, declaration);
  const node = properties.choice('switching');
  const options = node && fittingOptions(scope, node);
  const choice = node && options && checkChoice(scope, { ...node, options }, 'switching', switchingEntries).choice;
  const written = {
    packet: integerOf(scope, properties, 'packet'),
    flit: quantityOf(scope, properties, 'flit', 'size'),
    buffer: integerOf(scope, properties, 'buffer'),
    queue: queueOf(scope, properties),
    channels: integerOf(scope, properties, 'channels'),
    bubble: bubbleOf(scope, properties),
    router: delayOf(scope, properties, 'router'),
    link: delayOf(scope, properties, 'link'),
    routing: wordOf(scope, properties, 'routing', networkRoutings),
    select: wordOf(scope, properties, 'select', networkSelections),
    arbiter: wordOf(scope, properties, 'arbiter', networkArbiters),
    ejection: wordOf(scope, properties, 'ejection', networkEjections),
    serviceVariation: numberProperty(scope, properties, 'network', 'variation'),
    cache: quantityOf(scope, properties, 'cache', 'rate'),
  };
  const sound = Object.values(written).every((value) => value !== 'wrong');
  const inPlace = choice && networkInPlace(choice);
  if (inPlace === undefined) return undefined;
  const fits = checkPropertiesFit(scope, inPlace.switching, declaration.properties);
  if (!sound || !fits || options?.length !== node?.options.length) return undefined;
  warnOfSelect(scope, properties, written.routing);
  if (!checkFlit(scope, declaration, written) || !checkFigures(scope, properties, inPlace.switching, written)) {
    return undefined;
  }
  // None of them is `wrong`, and what is undefined was not written.
  const properOnes = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
  return { ...inPlace, ...(properOnes as Omit<NetworkModel, 'name' | 'switching'>), name: nameOf(declaration) };
}

/** `wormhole(router 3, buffer 1)` as a network without a name; undefined for the name of no switching. */
export function networkInPlace({ name, options }: Choice): NetworkModel | undefined {
  const switching = findEntry(switchingEntries, name)?.name;
  if (switching === undefined) return undefined;
  const number = (option: string): number | undefined => {
    const value = options[option];
    return typeof value === 'number' ? value : undefined;
  };
  const [router, link, buffer, channels, packet] = ['router', 'link', 'buffer', 'channels', 'packet'].map(number);
  return {
    switching,
    ...(router === undefined ? {} : { router: { unit: 'cycles', amount: router } as const }),
    ...(link === undefined ? {} : { link: { unit: 'cycles', amount: link } as const }),
    ...(buffer === undefined ? {} : { buffer }),
    ...(channels === undefined ? {} : { channels }),
    ...(packet === undefined ? {} : { packet }),
  };
}

const packets: readonly Switching[] = ['cut-through', 'store-and-forward'];
const routed: readonly Switching[] = ['wormhole', ...packets];

/** With which switching each property means something. */
const fitting: Readonly<Record<string, readonly Switching[]>> = {
  packet: routed,
  flit: [...routed, 'flow'],
  buffer: ['wormhole'],
  queue: packets,
  channels: routed,
  bubble: packets,
  router: [...routed, 'flow'],
  link: [...routed, 'flow'],
  routing: routed,
  select: routed,
  arbiter: routed,
  ejection: routed,
  variation: ['queueing'],
  cache: ['queueing'],
};

const misfitMessage = (written: string, switching: Switching, fitsWith: readonly Switching[]): string => {
  const instead =
    written === 'buffer' && packets.includes(switching)
      ? ': its queues are counted in packets, `queue 4 packets`'
      : written === 'queue' && switching === 'wormhole'
        ? ': its buffers are counted in flits, `buffer 4`'
        : switching === 'queueing'
          ? ': the figures of its servers stand in the machine'
          : '';
  return `\`${written}\` means nothing with \`${switching}\`${instead}. It goes with ${oneOf(fitsWith)}.`;
};

/** Reports properties that mean nothing with the switching, each with a fix; whether all fit. */
function checkPropertiesFit(scope: Scope, switching: Switching, properties: readonly PropertyNode[]): boolean {
  let fits = true;
  for (const property of properties) {
    const word = property.word.text;
    const fitsWith = fitting[word];
    if (fitsWith === undefined || fitsWith.includes(switching)) continue;
    fits = false;
    const { fix } = removal(property, `Remove \`${word}\``);
    const counted = countedOtherwise(property, switching);
    const fixes = counted === undefined ? { ...(fix && { fix }) } : { fix: counted, ...(fix && { otherFixes: [fix] }) };
    scope.report(property.word, 'does-not-apply', misfitMessage(word, switching, fitsWith), fixes);
  }
  return fits;
}

/** `buffer 4` as `queue 4 packets`, and the other way round. */
function countedOtherwise(property: PropertyNode, switching: Switching): Fix | undefined {
  const { content, word } = property;
  if (
    word.text === 'buffer' &&
    packets.includes(switching) &&
    content.kind === 'value' &&
    content.value?.kind === 'number'
  ) {
    return replace(property, `queue ${content.value.text} packets`);
  }
  const [count] = word.text === 'queue' && switching === 'wormhole' && content.kind === 'phrase' ? content.parts : [];
  return count?.kind === 'number' ? replace(property, `buffer ${count.text}`) : undefined;
}

/** Reports figures in parentheses that mean nothing with the switching, or that take a declaration; the others, under their names of today. */
export function fittingOptions(
  scope: Scope,
  { name: { text: switching }, options: written }: ChoiceNode,
): readonly OptionNode[] {
  const entry = switchingEntries.find(({ name }) => name === switching);
  if (entry === undefined) return written;
  const options = written.map((option) => ofToday(scope, option, written));
  return options.filter(({ name }) => {
    if (entry.options.some((option) => option.name === name.text)) return true;
    const fitsWith = fitting[name.text];
    // Of one that nobody knows the message names what there is.
    if (fitsWith === undefined) return true;
    const message = fitsWith.includes(entry.name)
      ? `\`${name.text}\` does not stand in parentheses: write it in a declaration, \`network own { switching ${switching}  ${name.text} … }\`, and name that here.`
      : misfitMessage(name.text, entry.name, fitsWith);
    scope.report(name, 'does-not-apply', message);
    return false;
  });
}

/** `routing 3` was the name of `router 3` up to 0.4: it is read, with a hint and a fix. */
function ofToday(scope: Scope, option: OptionNode, written: readonly OptionNode[]): OptionNode {
  const { name } = option;
  if (name.text !== 'routing' || written.some((other) => other.name.text === 'router')) return option;
  scope.report(name, 'old-name', '`routing` in parentheses is called `router` now.', {
    severity: 'information',
    fix: replace(name, 'router'),
  });
  return { ...option, name: { ...name, text: 'router' } };
}

/** Where the routing is not adaptive there is nothing to select from. */
function warnOfSelect(scope: Scope, properties: Properties, routing: Written<string>): void {
  const select = properties.get('select');
  if (select === undefined || routing === 'adaptive') return;
  const message = '`select` has no effect without `routing adaptive`: a packet has one way.';
  scope.report(select.word, 'no-effect', message, { severity: 'warning', ...removal(select, 'Remove `select`') });
}

/** Delays in seconds are cycles by the length of a flit. */
function checkFlit(
  scope: Scope,
  declaration: DeclarationNode,
  {
    flit,
    router,
    link,
  }: { readonly flit: Written<number>; readonly router: Written<Delay>; readonly link: Written<Delay> },
): boolean {
  const isInSeconds = [router, link].some((delay) => typeof delay === 'object' && delay.unit === 'seconds');
  if (!isInSeconds || flit !== undefined) return true;
  reportMissing(
    scope,
    declaration,
    'flit',
    '`flit 4 B`, since a delay in seconds is so many cycles by the length of a flit',
    ['flit 4 B'],
  );
  return false;
}

/** Reports figures that no engine simulates together. */
function checkFigures(
  scope: Scope,
  properties: Properties,
  switching: Switching,
  {
    queue,
    bubble,
    router,
    link,
  }: Readonly<Record<'router' | 'link', Written<Delay>>> & {
    readonly queue: Written<number>;
    readonly bubble: Written<Bubble>;
  },
): boolean {
  const wrong = (word: string, message: string): false => {
    const property = properties.get(word);
    if (property) scope.report(property, 'out-of-range', message);
    return false;
  };
  const places = typeof queue === 'number' ? queue : usualQueue;
  if (typeof bubble === 'object' && bubble.packets > places) {
    return wrong('bubble', `A \`bubble\` of ${bubble.packets} packets does not fit into a queue of ${places}.`);
  }
  if (typeof link !== 'object' || link.amount > 0) return true;
  if (switching === 'wormhole') return wrong('link', 'Worms take at least one cycle over a link.');
  const takesNoTime = router === undefined || (typeof router === 'object' && router.amount === 0);
  return packets.includes(switching) && takesNoTime
    ? wrong('link', '`router` and `link` together take at least one cycle.')
    : true;
}

const integerOf = (scope: Scope, properties: Properties, word: string): Written<number> =>
  integerProperty(scope, properties, 'network', word);

function quantityOf(scope: Scope, properties: Properties, word: string, kind: 'size' | 'rate'): Written<number> {
  if (properties.get(word) === undefined) return undefined;
  const value = properties.value(word);
  return (value && quantityValue(scope, value, kind, expectationOf('network', word))) ?? 'wrong';
}

function wordOf<Word extends string>(
  scope: Scope,
  properties: Properties,
  word: string,
  words: readonly Word[],
): Written<Word> {
  if (properties.get(word) === undefined) return undefined;
  const value = properties.value(word);
  const found = value && choiceWord(scope, value, words, expectationOf('network', word));
  return words.find((candidate) => candidate === found) ?? 'wrong';
}

/** `4 packets`. */
function queueOf(scope: Scope, properties: Properties): Written<number> {
  const property = properties.get('queue');
  if (property === undefined) return undefined;
  const reader = phraseOf(scope, property, expectationOf('network', 'queue'));
  const packets = reader?.integer({ minimum: 1, maximum: 2 ** 20 });
  reader?.oneOf(['packets', 'packet'], 'unit of a queue');
  return reader?.finish() === true && packets !== undefined ? packets : 'wrong';
}

/** `2`, `2(here)`. */
function bubbleOf(scope: Scope, properties: Properties): Written<Bubble> {
  const property = properties.get('bubble');
  if (property === undefined) return undefined;
  const reader = phraseOf(scope, property, expectationOf('network', 'bubble'));
  const packets = reader?.integer({ minimum: 1, maximum: 1024 });
  const here = reader?.accept('(') === true;
  if (here) {
    reader.expect('here');
    reader.expect(')');
  }
  return reader?.finish() === true && packets !== undefined ? { packets, here } : 'wrong';
}

/** `3 cycles`, `10 ns`. */
function delayOf(scope: Scope, properties: Properties, word: 'router' | 'link'): Written<Delay> {
  const property = properties.get(word);
  if (property === undefined) return undefined;
  const reader = phraseOf(scope, property, expectationOf('network', word));
  const amount = reader?.number({ minimum: 0, maximum: amountLimit });
  const unit = reader?.oneOf(['cycles', 'cycle', ...Object.keys(timeUnits)], 'unit of a delay');
  if (reader?.finish() !== true || amount === undefined || unit === undefined) return 'wrong';
  const seconds = timeUnits[unit];
  if (seconds !== undefined) return { unit: 'seconds', amount: amount * seconds };
  if (Number.isInteger(amount)) return { unit: 'cycles', amount };
  scope.report(property, 'wrong-value', `\`${word}\` takes a whole number of cycles.`);
  return 'wrong';
}
