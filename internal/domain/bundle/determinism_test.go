package bundle_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/bundle"
)

func artifact(t testing.TB) string {
	req, l := everything(t)
	req.Policy.EnableRedaction = true
	got := build(t, req, l)
	data, err := got.Bundle.Bytes()
	require.NoError(t, err)
	for _, w := range got.Writes {
		data = append(data, w.LakeURI+string(w.Data)...)
	}
	return string(data)
}

// Go iterates over maps in random order; still, many builds of an artifact with maps in it are equal to the byte.
func TestDeterminism(t *testing.T) {
	want := artifact(t)
	for range 50 {
		require.Equal(t, want, artifact(t))
	}
	var fields []string
	for i := range 40 {
		fields = append(fields, fmt.Sprintf("%q:%d", fmt.Sprint("lake_", i), i))
	}
	src := func(list []string) string {
		return `{"evidence_refs":{` + strings.Join(list, ",") + `,"lake_http":["h"]}}`
	}
	headers := `{"status":200,"headers":{"a\n":"1","a\t":"2","A":"3","b":["4","5"],"B":"6"}}`
	first := build(t, request(t, src(fields)), lake{"h": headers})
	for range 20 {
		fields = append(fields[1:], fields[0])
		require.Equal(t, first, build(t, request(t, src(fields)), lake{"h": headers}))
	}
}

// Two processes produce the same bytes.
func TestDeterminismAcrossProcesses(t *testing.T) {
	const flag = "SANAD_PRINT_BUNDLE"
	if os.Getenv(flag) != "" {
		fmt.Printf("<<<%s>>>", artifact(t))
		return
	}
	for range 2 {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestDeterminismAcrossProcesses$")
		cmd.Env = append(os.Environ(), flag+"=1")
		out, err := cmd.Output()
		require.NoError(t, err)
		_, rest, found := strings.Cut(string(out), "<<<")
		require.True(t, found)
		got, _, _ := strings.Cut(rest, ">>>")
		require.Equal(t, artifact(t), got)
	}
}

// Replay: the recorded policy on the same input yields the same evidence ids (rule P-16).
func TestReplay(t *testing.T) {
	req, l := everything(t)
	got := build(t, req, l).Bundle
	req.Policy = &got.Policy
	require.Equal(t, got, build(t, req, l).Bundle)
}

// IDs stay the same when sources are added at the end.
func TestIDsStayWhenSourcesAreAdded(t *testing.T) {
	req, l := everything(t)
	before := ids(build(t, req, l).Bundle)
	req.Refs.Transcripts.Items = append(req.Refs.Transcripts.Items, bundle.Document{DocumentID: "t2", Text: "x"})
	require.Equal(t, before, ids(build(t, req, l).Bundle)[:len(before)])
}
