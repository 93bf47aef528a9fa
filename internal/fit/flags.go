package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"sanad/internal/domain/claims"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/importers"
)

// flagDay is the day on which sources count as outdated or not.
var flagDay = time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)

// tally counts claims and the flags that stand on them.
type tally struct {
	claims int
	flags  map[ledger.RiskType]int
}

// add judges a session by the shipped judge, as an import does, and counts its flags.
func (t *tally) add(s *ledger.Session) {
	judge.Run(s, judge.NewLexical(), flagDay)
	s.ResolveCitations(nil)
	judge.CheckAnswer(s, judge.NewLexical())
	l := ledger.Assess(s, ledger.DefaultFreshness)
	t.claims += len(l.Entries)
	for _, f := range l.Flags {
		t.flags[f.Type] += f.Count
	}
}

// flagging prints on how many claims of the demo and of the dev sets each flag stands.
func flagging(w io.Writer, all []*set) error {
	demo, dev := tally{flags: map[ledger.RiskType]int{}}, tally{flags: map[ledger.RiskType]int{}}
	if err := demo.addDemo(); err != nil {
		return err
	}
	dev.addRows(all)
	fmt.Fprintf(w, "\nFlags, by the shipped judge: on how many claims of the demo's sessions (%d claims) and of the dev sets (%d rows, "+
		"each a session of one claim) they stand.\n\n| flag | demo | | dev sets | |\n|---|---|---|---|---|\n", demo.claims, dev.claims)
	share := func(t tally, flag ledger.RiskType) string {
		return fmt.Sprintf("%d | %s %%", t.flags[flag], percent(float64(t.flags[flag])/float64(t.claims)))
	}
	for _, flag := range ledger.RiskTypes {
		fmt.Fprintf(w, "| %s | %s | %s |\n", flag, share(demo, flag), share(dev, flag))
	}
	return nil
}

// addDemo adds the demo's sessions.
func (t *tally) addDemo() error {
	return eachDemo(func(_ string, data []byte) error {
		var head struct {
			Format string `json:"format"`
		}
		if json.Unmarshal(data, &head) != nil || head.Format != importers.SessionFormat {
			return nil //nolint:nilerr // a file of another format, such as an array, is no fault here
		}
		read, err := importers.Read(data, importers.Options{})
		if err == nil {
			t.add(&read.Session)
		}
		return err
	})
}

// eachDemo calls do with the name and content of each JSON file of the demo but history.json, in the order of their names. An error
// names the file.
func eachDemo(do func(name string, data []byte) error) error {
	files, err := filepath.Glob(filepath.Join(demoDir, "*.json"))
	if err != nil {
		return err
	}
	for _, file := range files { // Glob sorts them
		if filepath.Base(file) == "history.json" { // small sessions of weeks past, in a list
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := do(filepath.Base(file), data); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// addRows adds each row of the dev sets as a session of one claim.
func (t *tally) addRows(all []*set) {
	var mu sync.Mutex
	dev := make([]*set, 0, len(all))
	for _, s := range all {
		if strings.HasPrefix(s.name, "dev/") {
			dev = append(dev, s)
		}
	}
	eachRow(dev, func(r *row) {
		one := tally{flags: map[ledger.RiskType]int{}}
		one.add(r.session())
		mu.Lock()
		defer mu.Unlock()
		t.claims += one.claims
		for flag, n := range one.flags {
			t.flags[flag] += n
		}
	})
}

// session makes a session of a row: its claim is the answer.
func (r *row) session() *ledger.Session {
	s := judge.RowSession(r.Row)
	claim := strings.TrimSpace(r.Claim)
	kind, importance := claims.Classify(claim)
	s.Answer = claim
	s.Claims = []ledger.Claim{{Key: r.ID, Text: claim, Type: kind, Importance: importance, RequiresCitation: true}}
	return s
}
