package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"sanad/internal/domain/claims"
	"sanad/internal/domain/text"
)

// demoDir holds the demo's sessions, whose answers are split too.
const demoDir = "cmd/web/demo"

// splitWrongly says how a claim sentence, given as an answer, was not split into exactly one claim; "" if it was. use
// is false for a question, which is not a claim, and for a row of several sentences.
func splitWrongly(claim string) (how string, use bool) {
	sentences := text.Sentences(claim)
	if strings.ContainsAny(claim[max(0, len(claim)-4):], "?؟") || len(sentences) > 1 && wholeSentences(claim,
		sentences) {
		return "", false
	}
	switch got := claims.Of(claim); {
	case len(got) == 0:
		return "none", true
	case len(got) > 1 && len(sentences) > 1:
		return "cut at a stop", true
	case len(got) > 1:
		return "cut at a joint", true
	}
	return "", true
}

// sentenceWords is the number of words that each part of a row needs for the row to count as several sentences.
const sentenceWords = 5

// wholeSentences reports whether each part has at least sentenceWords words.
func wholeSentences(s string, parts []text.Span) bool {
	return !slices.ContainsFunc(parts,
		func(p text.Span) bool { return len(strings.Fields(text.Slice(s, p))) < sentenceWords })
}

// splitting prints how well the claim sentences of the sets and the demo's answers are split.
func splitting(w io.Writer, all []*set) error {
	fmt.Fprint(w, "\nClaims from an answer: each claim sentence given as an answer must come out as one claim (questions and rows of several sentences apart).\n\n",
		"| set | sentences | none | cut at a stop | cut at a joint | wrong | examples |\n|---|---|---|---|---|---|---|\n")
	for _, s := range all {
		if !strings.HasPrefix(s.name, "dev/") {
			continue
		}
		seen, n, wrong := map[string]bool{}, 0, map[string]int{}
		var examples []string
		for i := range s.rows {
			r := &s.rows[i]
			how, use := splitWrongly(r.Claim)
			if seen[r.Claim] || !use {
				continue
			}
			seen[r.Claim] = true
			n++
			if how == "" {
				continue
			}
			wrong[how]++
			if s.fitted && len(examples) < 3 {
				examples = append(examples, "`"+r.ID+"`")
			}
		}
		sum := wrong["none"] + wrong["cut at a stop"] + wrong["cut at a joint"]
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %s %% | %s |\n", s.name, n, wrong["none"], wrong["cut at a stop"],
			wrong["cut at a joint"], percent(float64(sum)/float64(n)), strings.Join(examples, " "))
	}
	fmt.Fprint(w, "\n| answer of the demo | claims that its file lists | found as they stand | made |\n|---|---|---|---|\n")
	return demoSplitting(w)
}

// demoSplitting compares the claims listed in the demo's files with those split from their answers.
func demoSplitting(w io.Writer) error {
	return eachDemo(func(name string, data []byte) error {
		var in struct {
			Session struct{ Answer string }
			Claims  []struct {
				Text string `json:"claim_text"`
			}
		}
		if err := json.Unmarshal(data, &in); err != nil {
			return err
		}
		if in.Session.Answer == "" {
			return nil
		}
		made := map[string]bool{}
		for _, c := range claims.Of(in.Session.Answer) {
			made[strings.TrimRight(c.Text, ".")] = true
		}
		found := 0
		for _, c := range in.Claims {
			if made[strings.TrimRight(c.Text, ".")] {
				found++
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d |\n", name, len(in.Claims), found, len(made))
		return nil
	})
}
