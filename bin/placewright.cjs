#!/usr/bin/env node
// `placewright`: starts the command line that `npm run build` makes. It is committed, so that npm finds it before the first build.
'use strict';
const { existsSync } = require('node:fs');
const { join, resolve } = require('node:path');

const oldestNode = 20;
const program = join(__dirname, '../dist/cli.cjs');
if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  console.error(`placewright: This is Node ${process.versions.node}. Install Node ${oldestNode} or later.`);
  process.exitCode = 2;
} else if (existsSync(program)) {
  require(program);
} else {
  console.error(`placewright: The program is not built. Run \`npm run build\` in ${resolve(__dirname, '..')}.`);
  process.exitCode = 2;
}
