// Package interop starts third-party servers and tools and has the tests against them: what both sides understand the
// same way can't be our misreading. make thorough sets SANAD_INTEROP=1; without it these tests are skipped, with it a
// missing tool is a failure.
package interop

import (
	"os"
	"os/exec"
	"testing"
)

// Need skips a test outside make thorough, and fails it if one of the programs it needs is missing.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	if os.Getenv("SANAD_INTEROP") != "1" {
		t.Skip("needs third-party programs: run make thorough, or set SANAD_INTEROP=1")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatalf("this test needs %s: %v", p, err)
		}
	}
}
