/** Colours on white paper. */
export const paper = '#ffffff';
export const ink = '#1b1f24';
export const faintInk = '#57606a';
export const unusedLink = '#c9ced4';
export const freeNode = '#ffffff';
export const nodeOutline = '#3d444d';
export const routerFill = '#eceff2';
export const routerOutline = '#57606a';
export const areaFill = '#f5f7f9';
export const arrowInk = '#3d444d';
