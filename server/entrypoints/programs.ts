/** What every program says of itself: its version, and the bundles that its threads run. */

/** The version of package.json; a test holds the two together. */
export const version = '0.4.0';

/**
 * The bundles that further threads run. Each program that starts threads says here, before it starts the first, where its own are;
 * run from its sources the product has one thread.
 */
export const programs: {
  /** Does items of searches and of equivalent distances: `helper.ts`. */
  helper?: string | URL;
  /** Does replications of experiments: the bundle of the program itself, which has all that they need. */
  replications?: string | URL;
  /** The path of the program that a shell starts: `cli.ts`. */
  commandLine?: string;
} = {};
