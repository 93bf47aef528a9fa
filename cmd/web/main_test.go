package main

import (
	"context"
	"crypto/rand"
	"os"
	"testing"

	"sanad/internal/keys"
)

// TestMain sets one master key for all commands of all tests, as an operator's environment does.
func TestMain(m *testing.M) {
	if rules := os.Getenv(testRules); rules != "" { // started by reassess_test.go as a newer version
		addTestRules(rules)
		os.Exit(run(context.Background(), os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
	}
	if len(os.Args) > 1 && os.Args[1] == readFileName { // started by a server under test to read an upload
		os.Exit(run(context.Background(), os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
	}
	if file := os.Getenv(peakFile); file != "" { // started by peakOf
		os.Exit(measurePeak(os.Args[1:], file))
	}
	key, err := keys.Generate(rand.Reader)
	if err != nil {
		panic(err)
	}
	if err := os.Setenv(masterKeyVariable, key); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(builtIn) // the binary of promise_test.go, if one was built
	os.Exit(code)
}
