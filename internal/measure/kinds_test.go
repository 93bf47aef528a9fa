package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCountKinds(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/a.go": "package a\n", "a/a_test.go": "package a\n\n", "a/page.templ": "package a\n", "a/page_templ.go": "package a\n",
		"a/testdata/b.go": "package b\n", "a/schema.sql": "SELECT 1;\n", ".ci/run": "#!/bin/sh\ntrue\n", "Makefile": "all:\n",
		"deploy/postinst": "true\n", "deploy/sanad.service": "[Unit]\n", "README.md": "words\n", ".git/x.go": "package x\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	got, err := countKinds(root)
	require.NoError(t, err)
	require.Equal(t, "written, Go                 1 files, 1 lines\n"+
		"written, templ              1 files, 1 lines\n"+
		"written, tests              1 files, 2 lines\n"+
		"written, scripts            3 files, 4 lines\n"+
		"written, SQL                1 files, 1 lines\n", got.String())
}
