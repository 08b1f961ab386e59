/** Tests run on Node, as the programs say of themselves when they start. */
import { nodePlatform } from '../server/entrypoints/node.ts';
import { installPlatform } from '../server/entrypoints/platform.ts';

installPlatform(nodePlatform);
