import type { SharedTask } from '../distances/sharedTask.ts';
import type { StintMessage } from '../search/shiftMessages.ts';

/** What a helping thread may be told. */
export type HelperMessage = { readonly kind: 'distances'; readonly task: SharedTask } | StintMessage;
