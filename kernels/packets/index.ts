/** What the engine outside calls, and the options that it sets. */
export * from './options';
export {
  addSteps,
  extendTo,
  finish,
  hasStep,
  layOut,
  placeAxis,
  placePort,
  placePosition,
  placeQueue,
  placeRouter,
  placeState,
  placeStation,
  placeStep,
} from './tables';
export { keepSteps } from './graph';
export { placeTimes } from './paces';
export { send } from './nodes';
export { advance } from './packets';
export * from './waits';
