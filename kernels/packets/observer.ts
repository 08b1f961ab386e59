/** Who is told of what happens: see `MessageObserver`. Cycles as numbers of JavaScript. */

/** A packet has arrived as a whole. */
export declare function delivered(message: i32, created: f64, arrived: f64, hops: i32): void;
/** The first flit of a packet crosses a link, which all of them keep busy for so many cycles. */
export declare function crossed(link: i32, start: f64, cycles: i32, message: i32): void;
/** What stood first in its queue has waited so many cycles for a channel of `contract.ts`. */
export declare function waited(channel: i32, start: f64, cycles: i32, message: i32): void;
