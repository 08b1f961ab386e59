/** Every broken form of the wide text. */
import './brokenText.test.ts';
