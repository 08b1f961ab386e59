/** Many more texts that may be job logs. */
import './swf.test.ts';
