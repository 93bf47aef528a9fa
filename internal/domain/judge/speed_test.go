package judge_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"sanad/internal/domain/judge"
)

func BenchmarkTmp(b *testing.B) {
	load := func(n string) (out []judge.Row) {
		f, _ := os.Open("/work/shared/eval/dev/" + n + ".jsonl")
		s := bufio.NewScanner(f)
		s.Buffer(nil, 1<<24)
		for s.Scan() {
			var r judge.Row
			json.Unmarshal(s.Bytes(), &r)
			out = append(out, r)
		}
		return out
	}
	for _, c := range []struct {
		name, ev, cl string
		n            int
	}{{"contract9000", "contract_nli", "factcheck_bench", 9000}, {"passage1500", "wice", "ragtruth_qa", 1500}} {
		b.Run(c.name, func(b *testing.B) {
			ev, cl := load(c.ev), load(c.cl)
			batch := judge.NewBatch(judge.NewLexical(), judge.DefaultBudget)
			var texts []string
			for _, r := range ev {
				if len(r.Evidence[0].Text) >= c.n {
					texts = append(texts, r.Evidence[0].Text[:c.n])
				}
			}
			texts = texts[:10]
			i := 0
			for b.Loop() {
				r := cl[i%len(cl)]
				r.Evidence = []judge.Evidence{{Doc: "d", Text: texts[i/50%len(texts)]}}
				batch.JudgeRow(r)
				i++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "claims/s")
		})
	}
}
