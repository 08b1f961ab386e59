/** Classes of receivers on larger networks too. */
import './receiverClasses.test.ts';
