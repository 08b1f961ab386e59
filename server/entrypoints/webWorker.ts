/** `worker.ts` for a browser: takes the same orders, but for what is kept beside files. */
import { installPlatform } from './platform.ts';
import { filesOfEditor, webEnvironment, type AskEditor } from './web/files.ts';
import { ask, listen, ownThreads, post } from './web/thread.ts';
import { takeOrders } from './worker/orders.ts';

installPlatform({ ...webEnvironment, files: filesOfEditor(ask as AskEditor), threads: ownThreads });
takeOrders({ post, listen });
