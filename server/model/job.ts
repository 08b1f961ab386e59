import type { Shape } from './shape.ts';
import type { Traffic } from './traffic.ts';

/**
 * Above this many tasks a job is refused. One for each of the 7,630,848 cores of Fugaku is possible, whose stencil of seven points has 46
 * million pairs: mapped by any structured mapper and measured, the process holds less than 2 GB (`npm run bench -- whole`).
 */
export const taskLimit = 2 ** 23;

/** A parallel program: its tasks and what they say to each other. */
export interface Job {
  readonly name: string;
  readonly taskCount: number;
  /** Present where the job was given a grid: task id = i + I · (j + J · k). */
  readonly grid?: Shape;
  /** The grid wraps. */
  readonly periodic: boolean;
  readonly traffic: Traffic;
  /** Bytes of one message; absent where the traffic was not given in messages: what a pair sends at a time is one. */
  readonly messageBytes?: number;
  /** How many times each pair sends what it sends at a time; 1 where absent. */
  readonly messages?: number;
  /** Messages per second from a task to each of its partners (times the weight of the pair); absent where not given. */
  readonly rate?: number;
  /** Of a job whose skeleton or trace is known. */
  readonly program?: ProgramMessages;
  /** Where each task lives in the problem that the program solves, where the user says so. */
  readonly coordinates?: TaskCoordinates;
}

/** How a program cuts its traffic into messages, and in what time it sends them. */
export interface ProgramMessages {
  /** Of each pair, in the order of the traffic; > 0. */
  readonly counts: Float64Array;
  readonly largestBytes: number;
  /** What the task that is busiest computes and sends for, where a byte takes a nanosecond and nothing is waited for; > 0 where there is traffic. */
  readonly seconds: number;
}

/** `values[task · dimensions + axis]`; finite. Only differences matter, in any unit. */
export interface TaskCoordinates {
  readonly dimensions: number;
  readonly values: Float64Array;
}

/** Coordinates as a file gives them, in the order of its lines: task 0 first. */
export interface TaskPositions extends TaskCoordinates {
  /** The last part of the file's name, for messages. */
  readonly fileName: string;
  /** Line of the file that each task's coordinates stand on, counted from 1. */
  readonly lines: Int32Array;
}
