#!/usr/bin/env node
/**
 * `cli.cjs`, which a shell starts by its name and every thread of it begins with: loads the command line, and keeps what Node compiles of it.
 * A start takes a quarter less time of the processor so. Node 20 keeps nothing.
 */
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from './programs.ts';

/** Where to keep what can be made anew: all users of a login node share its folder for temporary files. */
function compileCacheFolder({
  NODE_COMPILE_CACHE,
  XDG_CACHE_HOME,
  HOME,
  LOCALAPPDATA,
}: NodeJS.ProcessEnv): string | undefined {
  if (NODE_COMPILE_CACHE) return NODE_COMPILE_CACHE;
  const caches = XDG_CACHE_HOME || (HOME ? join(HOME, '.cache') : LOCALAPPDATA);
  return caches && join(caches, 'placewright', 'compiled', version);
}

const compiler = module as Partial<Pick<typeof module, 'enableCompileCache'>>;
const folder = compileCacheFolder(process.env);
// Where the folder cannot be written, Node keeps nothing and goes on.
if (folder !== undefined) compiler.enableCompileCache?.(folder);
void import(pathToFileURL(join(__dirname, 'commands/commandLine.js')).href);
