import type { Diagnostic } from 'vscode-languageserver-types';

/** With `wideText` every declaration and form of value; tests cut and query them. */
export const smallText = `/// A 4 x 4 torus, one task per node.
machine small {
  topology torus 4 x 4
  bandwidth 1 GB/s
}

/// Heat equation.
job heat {
  grid    4 x 4
  stencil five-point
  bytes   64 KiB
}

placement first-try {
  job     heat
  machine small
  map     row-major
}
`;

export const wideText = `import "machines/cielo.place"
stencil wide {
  dimensions 2
  offset (1, 0)  offset (-1, 0) weight 0.5
}
table ring8 { unit packets  0 -> 1 : 40  1 -> 2 : 40 }
table cg64 from "cg.A.64.mtx"
machine autonet { topology switches 4  link 0 -- 1, 2  link 1 -- 3  routing up-down(root 3)  latency 100 ns }
machine turned { topology torus 4 x 2 x 2 routing dimension-order(order z, y, x) }
job ghost { grid 8 x 8  stencil wide  bytes 2 KiB  periodic }
job ring { tasks 8  table ring8  bytes 1 kB }
job shuffle { tasks 8  pattern all-to-all  rate 10/s  messages 20 }
placement by-hand { jobs ring, shuffle  machine turned  allocate random(count 16)  map given [0..15] }
placement tuned { job ghost machine turned allocate same-as by-hand map auto seed 7 }
`;

/** What a diagnostic says, as text; the protocol would also allow Markdown. */
export const messageText = ({ message }: Pick<Diagnostic, 'message'>): string =>
  typeof message === 'string' ? message : message.value;
