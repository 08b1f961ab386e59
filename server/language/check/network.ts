import { type Choice, findEntry } from '../../model/catalogue.ts';
import {
  networkProperties,
  usualQueue,
  type Bubble,
  type Delay,
  type NetworkModel,
  type NetworkProperty,
  type PhraseKind,
  type Switching,
} from '../../model/networkModel.ts';
import { figuresInPlace, switchingEntries } from '../experimentWords.ts';
import { replace } from '../codes.ts';
import { oneOf } from '../suggestions.ts';
import type { ChoiceNode, DeclarationNode, OptionNode, PropertyNode } from '../tree.ts';
import { checkChoice } from './choices.ts';
import type { PhraseReader } from './phrase.ts';
import { Properties, removal, type Written } from './properties.ts';
import type { Scope } from './scope.ts';

/** What stands behind the words of a declaration: the model but for its name and switching. */
type Figures = Omit<NetworkModel, 'name' | 'switching'>;

/** Checks a network; undefined where something is missing or wrong. O(properties). */
export function checkNetwork(scope: Scope, declaration: DeclarationNode): NetworkModel | undefined {
  const properties = new Properties(scope, declaration);
  const node = properties.choice('switching');
  const options = node && fittingOptions(scope, node);
  const choice = node && options && checkChoice(scope, { ...node, options }, 'switching', switchingEntries).choice;
  const written = networkProperties.flatMap((row) => {
    const value = networkPropertyValue(properties, row);
    return value === undefined ? [] : [[row.key ?? row.word, value] as const];
  });
  const inPlace = choice && networkInPlace(choice);
  if (inPlace === undefined) return undefined;
  const fits = checkPropertiesFit(scope, inPlace.switching, declaration.properties);
  const isSound = written.every(([, value]) => value !== 'wrong');
  if (!isSound || !fits || options?.length !== node?.options.length) return undefined;
  // None of them is `wrong`.
  const figures = Object.fromEntries(written) as Figures;
  const select = properties.get('select');
  if (select !== undefined && figures.routing !== 'adaptive')
    properties.refuse(select, '`select` has no effect without `routing adaptive`. Remove it.', true);
  if (!checkFlit(properties, figures) || !checkNetworkFigures(properties, inPlace.switching, figures)) return undefined;
  return { ...inPlace, ...figures, name: properties.name };
}

/** The value of a property, as its row says. */
function networkPropertyValue(properties: Properties, { word, content }: NetworkProperty): Written<unknown> {
  if (content.form === 'word') return properties.word(word);
  if (content.form !== 'phrase') return properties.number(word);
  const value = properties.reads(word, phrases[content.reads]);
  const property = properties.get(word);
  const isWhole = typeof value !== 'object' || !('unit' in value) || value.unit === 'seconds' || value.amount % 1 === 0;
  if (property === undefined || isWhole) return value;
  properties.scope.report(property, 'wrong-value', `\`${word}\` takes a whole number of cycles.`);
  return 'wrong';
}

const phrases: Readonly<Record<PhraseKind, (reader: PhraseReader) => number | Delay | Bubble | undefined>> = {
  /** `3 cycles`, `10 ns`. */
  delay: (reader) => reader.cyclesOrTime('unit of a delay'),
  /** `4 packets`. */
  packets: (reader) => {
    const packets = reader.integer({ minimum: 1, maximum: 2 ** 20 });
    reader.oneOf(['packets', 'packet'], 'unit of a queue');
    return packets;
  },
  /** `2`, `2(here)`. */
  bubble: (reader) => {
    const packets = reader.integer({ minimum: 1, maximum: 1024 });
    const here = reader.accept('(');
    if (here) {
      reader.expect('here');
      reader.expect(')');
    }
    return packets === undefined ? undefined : { packets, here };
  },
};

/** `wormhole(router 3, buffer 1)` as a network without a name; undefined for the name of no switching. */
export function networkInPlace({ name, options }: Choice): NetworkModel | undefined {
  const switching = findEntry(switchingEntries, name)?.name;
  if (switching === undefined) return undefined;
  const figures = figuresInPlace.flatMap(({ name: word, minimum }) => {
    const amount = options[word];
    if (typeof amount !== 'number') return [];
    return [[word, minimum === 0 ? { unit: 'cycles', amount } : amount]];
  });
  return { switching, ...(Object.fromEntries(figures) as Figures) };
}

const networkPropertyRow = (word: string): NetworkProperty | undefined =>
  networkProperties.find((row) => row.word === word);

function misfitMessage({ word, instead, goesWith }: NetworkProperty, switching: Switching): string {
  const ofServers = switching === 'queueing' ? ': the parameters of its servers are in the machine' : '';
  const why = instead?.of.includes(switching) === true ? `: ${instead.says}` : ofServers;
  return `\`${word}\` does not apply to \`switching ${switching}\`${why}. It applies to ${oneOf(goesWith)}.`;
}

/** Reports properties that mean nothing with the switching, each with a fix; whether all fit. */
function checkPropertiesFit(scope: Scope, switching: Switching, properties: readonly PropertyNode[]): boolean {
  const misfits = properties.flatMap((property) => {
    const row = networkPropertyRow(property.word.text);
    return row === undefined || row.goesWith.includes(switching) ? [] : [{ property, row }];
  });
  for (const { property, row } of misfits) {
    const fix = removal(property, `Remove \`${row.word}\``);
    const { content } = property;
    const number = content.kind === 'value' ? content.value : content.kind === 'phrase' ? content.parts[0] : undefined;
    const counted =
      row.instead?.of.includes(switching) === true && number?.kind === 'number'
        ? replace(property, row.instead.written.replace('{number}', number.text))
        : undefined;
    const [first, ...otherFixes] = counted === undefined ? [fix] : [counted, fix];
    scope.report(property.word, 'does-not-apply', misfitMessage(row, switching), { fix: first, otherFixes });
  }
  return misfits.length === 0;
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
    const row = networkPropertyRow(name.text);
    // Of one that nobody knows the message names what there is.
    if (row === undefined) return true;
    const message = row.goesWith.includes(entry.name)
      ? `\`${name.text}\` is not allowed in parentheses. Declare \`network own { switching ${switching}  ${name.text} … }\`, and name that here.`
      : misfitMessage(row, entry.name);
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

/** Delays in seconds are cycles by the length of a flit. */
function checkFlit(properties: Properties, { flit, router, link }: Figures): boolean {
  if (flit !== undefined || (router?.unit !== 'seconds' && link?.unit !== 'seconds')) return true;
  const why = '`flit 4 B`, since a delay in seconds is so many cycles by the length of a flit';
  properties.reportMissing('flit', why, ['flit 4 B']);
  return false;
}

/** Reports figures that no engine simulates together. */
function checkNetworkFigures(
  properties: Properties,
  switching: Switching,
  { queue = usualQueue, bubble, router, link }: Figures,
): boolean {
  const wrong = (word: string, message: string): false => {
    const property = properties.get(word);
    if (property) properties.scope.report(property, 'out-of-range', message);
    return false;
  };
  if (bubble !== undefined && bubble.packets > queue)
    return wrong('bubble', `A \`bubble\` of ${bubble.packets} packets does not fit into a queue of ${queue}.`);
  if (link === undefined || link.amount > 0 || switching === 'flow') return true;
  if (switching === 'wormhole') return wrong('link', 'With `switching wormhole` a link needs at least one cycle.');
  return (router?.amount ?? 0) > 0 || wrong('link', '`router` and `link` together need at least one cycle.');
}
