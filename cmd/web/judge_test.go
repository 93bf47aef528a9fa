package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/thorough"
)

// A row that cannot be read is answered at its place in the output, with its line number and the fault. The other rows
// are judged.
func TestJudgeAnswersEachBrokenRow(t *testing.T) {
	good := `{"id":"good","claim":"The sky is blue.","evidence":[{"doc":"d","text":"The sky is blue."}]}`
	in := strings.Join([]string{
		good,
		`{"id":"cut","claim":"The sky`,
		`{"id":"kind","claim":5,"evidence":[]}`,
		`{"id":"long","claim":"` + strings.Repeat("x", maxRow) + `","evidence":[]}`,
		``,
		`{"id":"foreign","claim":"Сотрудники имеют право на отпуск","evidence":[{"doc":"d","text":"The sky is blue."}]}`,
		good, // without a newline behind it
	}, "\n")
	code, out, errs := call(t, in, "judge")
	require.Equal(t, exitFailed, code)
	all := lines(t, out)
	require.Len(t, all, 6)
	for _, i := range []int{0, 5} {
		require.Equal(t, "supported", *all[i].Verdict)
	}
	for i, want := range []struct{ id, says string }{
		1: {"cut", "line 2: claim: column 29: "}, 2: {"kind", "line 3: claim: "},
		3: {"", "line 4: This row is longer than 16 MiB"},
	} {
		if want.says == "" {
			continue
		}
		require.Nil(t, all[i].Verdict)
		require.Equal(t, want.id, all[i].ID)
		require.Contains(t, all[i].Unjudged, want.says)
		require.Contains(t, strings.Split(out, "\n")[i], fmt.Sprintf(`"error":%q`, all[i].Unjudged)[:24])
	}
	require.Nil(t, all[4].Verdict)
	require.NotContains(t, strings.Split(out, "\n")[4], `"error"`, "it could be read")
	require.Contains(t, errs, "judge: rows 6, judged 2, unjudged 1, broken 3")
	require.NotContains(t, errs, "claims judged", "progress is for terminals")

	code, _, errs = call(t, good, "judge")
	require.Zero(t, code)
	require.Equal(t, "judge: rows 1, judged 1, unjudged 0, broken 0\n", errs)
}

// TestMemoryOfJudging checks that the peak memory of `sanad judge` does not grow with the number of rows, even if each
// has different evidence.
func TestMemoryOfJudging(t *testing.T) {
	few, many := thorough.Times(400, 2_000), thorough.Times(4_000, 100_000)
	exe := webBinary(t)
	held := func(rows int) int {
		in, feed := io.Pipe()
		go func() {
			w := bufio.NewWriter(feed)
			for i := range rows {
				fmt.Fprintf(w, `{"id":"%d","claim":"Item %d of the list costs 5 euros.","evidence":[{"doc":"d","text":"%s"}]}`+"\n", i, i,
					strings.Repeat(fmt.Sprintf("Item %d of the list costs 5 euros and part%d is free. ", i, i), 20))
			}
			_ = feed.CloseWithError(w.Flush())
		}()
		cmd := exec.CommandContext(context.Background(), exe, "judge")
		cmd.Stdin, cmd.Stdout = in, io.Discard
		return peakOf(t, cmd, false)
	}
	small, large := held(few), held(many)
	t.Logf("%d rows: at most %d MiB resident; %d rows: %d MiB", few, small>>20, many, large>>20)
	require.Less(t, large, small+small/2+32<<20)
}
