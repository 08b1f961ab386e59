import { aging } from './schedulers/aging.ts';
import { conservative } from './schedulers/conservative.ts';
import type { SchedulerEntry } from './contract.ts';
import { easy } from './schedulers/easy.ts';
import { fcfs } from './schedulers/fcfs.ts';
import { outOfOrder } from './schedulers/outOfOrder.ts';
import { ssd } from './schedulers/ssd.ts';
import { window } from './schedulers/window.ts';

/** Every scheduler there is; a new one is a file and a line here. */
export const schedulers: readonly SchedulerEntry[] = [fcfs, ssd, outOfOrder, window, aging, easy, conservative];
