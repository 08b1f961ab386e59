import type { MachineFigures } from '../../model/machine.ts';
import { expectationOf } from './expectations.ts';
import type { Properties } from './properties.ts';
import { quantityValue } from './quantities.ts';
import type { Scope } from './scope.ts';

/** Bandwidth, latency and the like of a machine; those that are wrong are reported and left out. */
export function checkFigures(scope: Scope, properties: Properties): MachineFigures {
  const figure = (word: string, kind: 'rate' | 'time'): number | undefined => {
    const value = properties.value(word);
    return value && quantityValue(scope, value, kind, expectationOf('machine', word));
  };
  const bandwidth = figure('bandwidth', 'rate');
  const latency = figure('latency', 'time');
  const memory = figure('memory', 'rate');
  const networkInterface = figure('interface', 'rate');
  const switchTime = figure('switch', 'time');
  warnOfLines(scope, properties);
  return {
    ...(bandwidth === undefined ? {} : { bandwidth }),
    ...(latency === undefined ? {} : { latency }),
    ...(memory === undefined ? {} : { memory }),
    ...(networkInterface === undefined ? {} : { interface: networkInterface }),
    ...(switchTime === undefined ? {} : { switchTime }),
  };
}

/** `link 0 -- 1 bandwidth 5 GB/s` on a line of its own looks like a figure of that cable. O(properties). */
function warnOfLines(scope: Scope, properties: Properties): void {
  const links = properties.all('link');
  for (const word of ['bandwidth', 'latency']) {
    const figure = properties.get(word);
    if (figure === undefined) continue;
    const before = links.findLast(({ start }) => start < figure.start);
    if (before === undefined || !/^[^\S\r\n]+$/.test(scope.text.slice(before.end, figure.start))) continue;
    const indentation = /[\r\n]([^\S\r\n]*)$/.exec(
      scope.text.slice(Math.max(0, before.start - 200), before.start),
    )?.[1];
    if (indentation === undefined) continue;
    const message = `\`${word}\` is that of every link of the machine, not of this cable alone: write it on a line of its own.`;
    const fix = {
      title: 'Write it on a line of its own',
      start: before.end,
      end: figure.start,
      text: `\n${indentation}`,
    };
    scope.report(figure.word, 'whole-machine', message, { severity: 'warning', fix });
  }
}
