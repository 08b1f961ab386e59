// VitePress reads its configuration here; it is TypeScript of the tests, beside this folder.
export { default } from '../config.ts';
