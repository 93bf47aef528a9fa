// Package text holds what every judge, importer and view needs to know about plain text in English and Arabic:
// offsets, folding for comparison, tokens, sentences, placing a quote, script and direction, numbers with units.
//
// Every function is total: any string, also invalid UTF-8, gives an answer and never a panic. Offsets count Unicode
// code points, as everywhere in Sanad (rule E-2); a byte that is not UTF-8 counts as one.
package text
