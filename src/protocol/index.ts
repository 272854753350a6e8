export * from './jsonSchemas.js';
export * from './parseRecord.js';
export * from './protocols.js';
export * from './records.js';
export * from './refs.js';
export * from './refuse.js';
export * from './schemas.js';
export * from './words.js';
