package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/reader/readertest"
)

// publishedModel writes a tiny model as hubs publish it, and returns its folder.
func publishedModel(t *testing.T, change ...func(*readertest.Folder)) string {
	t.Helper()
	dir, model := t.TempDir(), readertest.Published(1)
	for _, f := range change {
		f(model)
	}
	require.NoError(t, model.Write(dir))
	return dir
}

// TestRefusedReaders: a folder that does not fit stops a command, which says what is wrong with which file and what to
// do.
func TestRefusedReaders(t *testing.T) {
	const cls = "classifier.weight"
	sparse := publishedModel(t)
	require.NoError(t, os.Truncate(filepath.Join(sparse, "model.safetensors"), 10<<30))
	hostile := publishedModel(t)
	require.NoError(t, os.WriteFile(filepath.Join(hostile, "tokenizer.json"), []byte(strings.Repeat("[", 1<<20)), 0o600))
	damaged := filepath.Join(t.TempDir(), "reader.bin")
	require.NoError(t, os.WriteFile(damaged, []byte("not weights"), 0o600))
	for want, dir := range map[string]string{
		"model.safetensors: the tensor classifier.weight is missing; copy the model again": publishedModel(t,
			func(f *readertest.Folder) { delete(f.Tensors, cls) }),
		`config.json: the architecture "BertForSequenceClassification" of the model type "modernbert" is not supported`: publishedModel(t,
			func(f *readertest.Folder) { f.Config["model_type"] = "modernbert" }),
		"model.safetensors: the tensor classifier.weight has the value NaN at position 7; copy the model again": publishedModel(t,
			func(f *readertest.Folder) {
				f.Tensors[cls] = slices.Clone(f.Tensors[cls])
				f.Tensors[cls][7] = float32(math.NaN())
			}),
		"tokenizer.json: has 164 pieces, but the model has 9000: they do not belong together": publishedModel(t,
			func(f *readertest.Folder) { f.Config["vocab_size"] = 9000 }),
		"tokenizer.json: is nested more than 16 levels deep; choose a model that docs/reader.md names": hostile,
		"model.safetensors: has 10737418240 bytes; at most 2147483648 are read; choose a model":        sparse,
		"the folder cannot be opened":           filepath.Join(t.TempDir(), "none"),
		"the file of weights is cut off or too": damaged,
	} {
		commands := []string{"judge"}
		if strings.Contains(want, "NaN") || dir == damaged {
			commands = append(commands, "serve", "doctor")
		}
		for _, command := range commands {
			data := t.TempDir()
			code, out, errs := call(t, "", command, "--reader", dir, "--data", data)
			assert.Equal(t, exitFailed, code, "%s: %s", command, want)
			assert.Contains(t, out+errs, dir+": ", command)
			assert.Contains(t, out+errs, want, command)
			left, _ := filepath.Glob(filepath.Join(data, "readers", "*"))
			assert.Empty(t, left, command)
			if command == "serve" {
				assert.NotContains(t, out, "listens", "it stops before it can be reached")
			}
		}
	}
	for flags, want := range map[string]string{
		"--reader-labels supports,neither":                                           "--reader-labels needs --reader",
		"--reader-labels left,right --reader " + publishedModel(t):                   `the label "left" is unknown; say which class is which with --reader-labels`,
		"--reader-labels supports,neither,contradicts --reader " + publishedModel(t): "config.json: the model has 2 classes, but 3 labels are given",
	} {
		code, _, errs := call(t, "", append([]string{"judge", "--data", t.TempDir()}, strings.Fields(flags)...)...)
		assert.NotZero(t, code, flags)
		assert.Contains(t, errs, want)
	}
}

// rowsOfReader are rows of as many sources; none has a digit.
func rowsOfReader() (rows []map[string]any) {
	for i := range 90 {
		word := func(n int) string { return strings.Repeat(string(rune('a'+(i+n)%26)), 2+(i*n)%5) }
		rows = append(rows, map[string]any{"id": fmt.Sprint(i), "claim": "The " + word(1) + " permits a " + word(3) + " on request.",
			"evidence": []map[string]string{{"doc": "d", "text": "Every " + word(1) + " gives " + word(5) + " to the " + word(7) + "."}}})
	}
	return rows
}

// linesOf writes rows as JSON Lines.
func linesOf(t *testing.T, rows []map[string]any) string {
	var b strings.Builder
	for _, row := range rows {
		line, err := json.Marshal(row)
		require.NoError(t, err)
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// TestReaderFromFolderToCalibration goes the operator's way: judge with a folder, calibrate for one tenant, import. The
// verdicts are the tiny model's own word, so that there is something to calibrate.
func TestReaderFromFolderToCalibration(t *testing.T) {
	data, model := t.TempDir(), publishedModel(t)
	rows := rowsOfReader()
	code, out, errs := call(t, linesOf(t, rows), "judge", "--reader", model, "--data", data)
	require.Zero(t, code, errs)
	files, err := filepath.Glob(filepath.Join(data, "readers", "*.bin"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	digest := strings.TrimSuffix(filepath.Base(files[0]), ".bin")
	var judged []struct {
		Verdict string
		P       float64 `json:"p_supported"`
	}
	var sorted []float64
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		judged = append(judged, struct {
			Verdict string
			P       float64 `json:"p_supported"`
		}{})
		require.NoError(t, json.Unmarshal([]byte(line), &judged[len(judged)-1]))
		sorted = append(sorted, judged[len(judged)-1].P)
		require.Contains(t, []string{"weak", "not_found"}, judged[len(judged)-1].Verdict, "a word that is not calibrated is weak at best")
	}
	slices.Sort(sorted)
	require.Greater(t, sorted[80], sorted[10], "the model tells rows apart")
	for i := range rows {
		rows[i]["verdict"] = "not_found"
		if judged[i].P > sorted[45] {
			rows[i]["verdict"] = "supported"
		}
	}
	labelled := filepath.Join(t.TempDir(), "rows.jsonl")
	require.NoError(t, os.WriteFile(labelled, []byte(linesOf(t, rows)), 0o600))
	desk{t, data}.does("", "tenant", "add", "other")

	// the file that was made of the folder serves as well
	code, out, errs = call(t, "", "reader", "calibrate", "--reader", files[0], "--data", data, labelled)
	require.Zero(t, code, errs)
	require.Contains(t, out, "main\t"+digest+"\nrows 90: supported ")
	require.Regexp(t, `share right: [\d.]+ % before, [\d.]+ % after\ncalibration error: [\d.]+ points before, [\d.]+ after\n`, out)
	verified, said, errs := call(t, "", "audit", "verify", "--data", data)
	require.Zero(t, verified, said+errs)

	session := filepath.Join(t.TempDir(), "session.json")
	require.NoError(t, os.WriteFile(session, []byte(`{"format":"sanad.session/v1","session":{"title":"t","answer":"`+rows[0]["claim"].(string)+
		`"},"documents":[{"id":"d","text":"Every aa gives bb to the cc."}]}`), 0o600))
	calibrations := map[string]string{}
	for _, tenant := range []string{"main", "other"} {
		code, _, errs = call(t, "", "import", "--reader", model, "--data", data, "--tenant", tenant, session)
		require.Zero(t, code, errs)
		require.Equal(t, tenant == "other", strings.Contains(errs, "sanad reader calibrate"), errs)
		c := config{data: data, tenant: tenant}
		require.NoError(t, c.with(context.Background(), func(s *db.Store, of db.Tenant) error {
			list, _, err := s.Sessions(context.Background(), of.ID, ledger.SessionQuery{Limit: 1})
			require.NoError(t, err)
			loaded, err := s.Session(context.Background(), of.ID, list[0].ID)
			require.NoError(t, err)
			require.Equal(t, digest, loaded.Run.Parameters["reader"])
			calibrations[tenant] = loaded.Run.Parameters["calibration"]
			return nil
		}))
	}
	require.Len(t, calibrations["main"], 64)
	require.Equal(t, "none", calibrations["other"], "what one tenant calibrated is its own")

	found, _ := asked(t, "--data", data, "--reader", model)
	require.Equal(t, stateOK, found["embedded judge"].State, "%+v", found["embedded judge"])
	require.Contains(t, found["embedded judge"].Says, digest)
	require.NoError(t, os.Truncate(files[0], 1000))
	found, _ = asked(t, "--data", data, "--reader", files[0])
	require.Equal(t, stateFault, found["embedded judge"].State)

	for rows, want := range map[string]string{
		linesOf(t, rows[:20]):         "at least 30 of each are needed",
		`{"claim":"x","evidence":[]}`: "line 1: verdict: A row needs a person's verdict",
		`{"claim":5}`:                 "line 1: claim: ",
	} {
		code, _, errs := call(t, rows, "reader", "calibrate", "--reader", model, "--data", data, "-")
		require.Equal(t, exitFailed, code)
		require.Contains(t, errs, want)
	}
	code, _, errs = call(t, "", "reader", "calibrate", "--reader", model, "--data", data)
	require.Equal(t, exitFailed, code)
	require.Contains(t, errs, "There are 0 supported rows", "nobody reviewed anything")
	code, _, errs = call(t, "", "reader", "calibrate", "--data", data)
	require.Equal(t, exitUsage, code)
	require.Contains(t, errs, "name the reader")
}
