package pack_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// large is a draft of 100 sources, 50 tool calls and 200 claims.
func large() pack.Content {
	d := hospital()
	d.Evidence, d.ToolCalls = nil, nil
	for i := range 100 {
		d.Evidence = append(d.Evidence,
			source(fmt.Sprint("source ", i), fmt.Sprint("https://example.com/", i),
				strings.Repeat("A verbatim sentence of the source. ", 20), float64(i)/100))
	}
	for i := range 50 {
		d.ToolCalls = append(d.ToolCalls,
			pack.ToolCallRecord{ToolName: "crm.get", IntendedAction: fmt.Sprint("read ", i),
				ActualAction: fmt.Sprint("read ", i), Outputs: []byte(`{"rows":[1,2,3],"ok":true}`)})
	}
	return draftOf(d, session(200))
}

// BenchmarkSignOff measures what a sign-off computes: from the stored pack.json to statement, envelope and bundle.
func BenchmarkSignOff(b *testing.B) {
	c := large()
	f := freeze(b, c)
	b.Run("freeze", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(f.Bytes)))
		for b.Loop() {
			freeze(b, c)
		}
	})
	b.Run("thaw", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := pack.LoadFrozen(f.Bytes, secret)
			require.NoError(b, err)
		}
	})
	b.Run("sign", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			signOff(b, f, "u2")
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	s := signOff(b, freeze(b, large()), "u2")
	b.ReportAllocs()
	for b.Loop() {
		require.Equal(b, pack.Verified, pack.Verify(s.files, pack.Trust{Key: public}).Verdict)
	}
}

func BenchmarkValidate(b *testing.B) {
	c := large()
	b.ReportAllocs()
	for b.Loop() {
		c.Validate(nil)
	}
}
