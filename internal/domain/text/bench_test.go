package text_test

import (
	"strings"
	"testing"

	"sanad/internal/domain/text"
)

// long is half English, half Arabic, about 1 MB.
var long = strings.Repeat(policy+" "+سياسة+"\n", 2400)

func bench(b *testing.B, s string, f func(string)) {
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		f(s)
	}
}

func BenchmarkSentences(b *testing.B) { bench(b, long, func(s string) { text.Sentences(s) }) }

func BenchmarkTokens(b *testing.B) { bench(b, long, func(s string) { text.Tokens(s) }) }

func BenchmarkFold(b *testing.B) { bench(b, long, func(s string) { text.Fold(s) }) }

func BenchmarkFoldMap(b *testing.B) { bench(b, long, func(s string) { text.FoldMap(s) }) }

func BenchmarkQuantities(b *testing.B) { bench(b, long, func(s string) { text.Quantities(s) }) }

func BenchmarkRuler(b *testing.B) { bench(b, long, func(s string) { text.NewRuler(s) }) }

func BenchmarkPlace(b *testing.B) {
	for kind, quote := range map[string]string{
		"exact":      "outside the company.",
		"normalised": "Outside  the company",
		"elided":     "Unused annual leave … department head",
		"fuzzy":      "Unused annual leave may be carried over at the choice of the department head",
		"not_placed": "nothing of the kind was ever agreed between these parties",
	} {
		b.Run(kind, func(b *testing.B) { bench(b, long, func(s string) { text.Place(quote, s) }) })
	}
}
