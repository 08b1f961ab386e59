/** A thread that helps with equivalent distances: takes tasks, answers nothing. */
import { parentPort } from 'node:worker_threads';
import { helpWith, type SharedTask } from './distances/sharedTask.ts';

parentPort?.on('message', helpWith satisfies (task: SharedTask) => void);
