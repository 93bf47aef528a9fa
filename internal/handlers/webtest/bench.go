package webtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sanad/internal/handlers/web"
)

// ManyClaims returns a session with n claims whose matches are given, over ten documents.
func ManyClaims(n int) string {
	type m map[string]any
	var documents, claims []m
	for d := range 10 {
		var chunks []m
		for i := range 20 {
			chunks = append(chunks, m{
				"id": fmt.Sprint("c", i),
				"text": fmt.Sprintf("Section %d of document %d says that item %d is covered for %d days.", i, d,
					i*d, i+d),
				"page_number": i + 1,
			})
		}
		documents = append(documents, m{
			"id": fmt.Sprint("d", d), "filename": fmt.Sprintf("Document_%d.pdf", d), "chunks": chunks,
		})
	}
	var answer strings.Builder
	for i := range n {
		text := fmt.Sprintf("Item %d is covered for %d days", i, i%30)
		c := m{
			"claim_id": fmt.Sprint("clm_", i), "claim_text": text, "claim_type": "numeric",
			"importance": "critical",
		}
		if i < 200 { // the answer is the same for any n, so that pages differ in nothing but the store behind them
			c["start_offset"], c["end_offset"] = answer.Len(), answer.Len()+len(text)
			answer.WriteString(text + ". ")
		}
		claims = append(claims, c)
		c["matches"] = []m{{
			"chunk": fmt.Sprintf("d%d/c%d", i%10, i%20), "similarity": 0.5 + float64(i%50)/100,
			"support_level": []string{"full", "partial"}[i%2], "contradicts": i%7 == 0,
			"snippet": fmt.Sprintf("item %d is covered", (i%20)*(i%10)),
		}}
	}
	body, err := json.Marshal(m{
		"format": "sanad.session/v1", "session": m{"title": "Many", "answer": answer.String()},
		"documents": documents, "claims": claims,
	})
	if err != nil {
		panic(err)
	}
	return string(body)
}

func BenchServer(b *testing.B) *Server {
	b.Helper()
	return NewServerFor(b, func(*web.Options) {})
}
