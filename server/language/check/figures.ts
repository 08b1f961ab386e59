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
  return {
    ...(bandwidth === undefined ? {} : { bandwidth }),
    ...(latency === undefined ? {} : { latency }),
    ...(memory === undefined ? {} : { memory }),
    ...(networkInterface === undefined ? {} : { interface: networkInterface }),
    ...(switchTime === undefined ? {} : { switchTime }),
  };
}
