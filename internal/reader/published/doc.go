// Package published reads a model as model hubs publish it (config.json, model.safetensors, tokenizer.json), checks it,
// and writes it once as the int8 file that internal/reader runs. A folder comes from outside: nothing in it is
// believed, and no more of it is in memory at a time than one matrix.
package published
