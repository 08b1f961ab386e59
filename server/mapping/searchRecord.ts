/** Records stand in the model, since reports carry them; mappers find them here. */
export * from '../model/searchRecord.ts';
