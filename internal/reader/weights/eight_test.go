package weights_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/reader"
	"sanad/internal/reader/weights"
)

// Claims that are judged whole: testdata/eight.jsonl has their rows, and eight_judged.jsonl what the portable kernel
// said of them on amd64. .ci/arm64 judges the same rows by the kernels of arm64.
const (
	eightRows   = "testdata/eight.jsonl"
	eightJudged = "testdata/eight_judged.jsonl"
)

// judgedClaim is what is stored of a claim: the fields of sanad judge that .ci/arm64 compares.
type judgedClaim struct {
	ID         string          `json:"id"`
	Verdict    *ledger.Verdict `json:"verdict"`
	Confidence float64         `json:"confidence"`
	PSupported float64         `json:"p_supported"`
}

// limits are settings of GODEBUG that keep a process from faster kernels than one, by the kernel that they leave.
var limits = map[string]map[string]string{
	"amd64": {"avx2": "cpu.avx512f=off", "portable": "cpu.avx2=off"},
	"arm64": {"neon": "cpu.asimddp=off"},
}

// TestEightClaims compares what the judge says of eight claims, by the kernel of this process, with what is stored.
func TestEightClaims(t *testing.T) {
	kernel := kernelOfProcess(t)
	fmt.Println("kernel:", kernel) // TestEightClaimsByEveryKernel reads it
	if *update && kernel == "portable" && runtime.GOARCH == "amd64" {
		require.NoError(t, os.WriteFile(eightJudged, judgeEight(t), 0o600))
		return
	}
	if *update {
		out, err := judgeByKernel("portable", "-update")
		require.NoError(t, err, out)
	}
	stored, err := os.ReadFile(eightJudged)
	require.NoError(t, err)
	require.Equal(t, string(stored), string(judgeEight(t)), "by %s; see docs/changing.md if the judge was changed",
		kernel)
}

// TestEightClaimsByEveryKernel has them judged by the kernels that this process did not choose.
func TestEightClaimsByEveryKernel(t *testing.T) {
	for kernel := range limits[runtime.GOARCH] {
		out, err := judgeByKernel(kernel)
		require.NoError(t, err, out)
		if !strings.Contains(out, "kernel: "+kernel+"\n") {
			fmt.Printf("NOT COMPARED: kernel %s, which this machine cannot run (%s)\n", kernel, t.Name())
		}
	}
}

// judgeByKernel runs TestEightClaims in a process of its own that is kept from faster kernels, and returns what it
// printed.
func judgeByKernel(kernel string, flags ...string) (string, error) {
	c := exec.Command(os.Args[0], append([]string{"-test.run=^TestEightClaims$", "-test.v"}, flags...)...)
	c.Env = append(os.Environ(), "GODEBUG="+limits[runtime.GOARCH][kernel])
	out, err := c.CombinedOutput()
	return string(out), err
}

// kernelOfProcess returns the name of the kernel that reads, which must be the one that this machine is meant to use.
func kernelOfProcess(t *testing.T) string {
	t.Helper()
	r, err := reader.Open(weights.File)
	require.NoError(t, err)
	name, failed := r.Kernel()
	require.Empty(t, failed)
	return name
}

// judgeEight returns the lines that the judge gives for the rows.
func judgeEight(t *testing.T) []byte {
	t.Helper()
	rows, err := os.ReadFile(eightRows)
	require.NoError(t, err)
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	for line := range bytes.Lines(rows) {
		var row judge.Row
		require.NoError(t, json.Unmarshal(line, &row))
		got := judge.JudgeRow(row, shipped().Judge())
		require.NotNil(t, got.Verdict, got)
		require.NoError(t, lines.Encode(judgedClaim{ID: got.ID, Verdict: got.Verdict, Confidence: got.Confidence,
			PSupported: got.PSupported}))
	}
	require.Equal(t, 8, bytes.Count(out.Bytes(), []byte("\n")))
	return out.Bytes()
}
