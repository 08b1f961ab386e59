/** Embeddings of a thousand tasks too. */
import './embedding.test.ts';
