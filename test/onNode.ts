/** Tests run on Node, as the programs say of themselves when they start; what they start is compiled once. */
import { nodePlatform } from '../server/entrypoints/node.ts';
import { installPlatform } from '../server/entrypoints/platform.ts';
import { compiledFolder } from './builtOnce.ts';

installPlatform(nodePlatform);
process.env['NODE_COMPILE_CACHE'] = compiledFolder();
