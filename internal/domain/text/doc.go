// Package text reads plain text in English and Arabic for judges, importers and views: offsets, folding for comparison,
// tokens, sentences, placing a quote, script and direction, numbers with units.
//
// Every function is total: any string, even invalid UTF-8, gives a result and never a panic. Offsets count Unicode code
// points, as everywhere in Sanad (rule E-2); an invalid byte counts as one.
package text
