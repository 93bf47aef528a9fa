package main

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionOf(t *testing.T) {
	t.Parallel()
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "c4bbb96ad4560dead98f6909f5d6584e6f0247cf"}
	for name, c := range map[string]struct {
		main     string
		settings []debug.BuildSetting
		want     string
	}{
		"a release":                 {main: "v1.2.3", want: "v1.2.3"},
		"a release, settings known": {main: "v1.2.3", settings: []debug.BuildSetting{commit}, want: "v1.2.3"},
		"a commit": {main: "(devel)", settings: []debug.BuildSetting{commit},
			want: "devel-c4bbb96ad456"},
		"a changed tree": {
			main:     "(devel)",
			settings: []debug.BuildSetting{commit, {Key: "vcs.modified", Value: "true"}},
			want:     "devel-c4bbb96ad456+dirty",
		},
		"nothing known": {main: "(devel)", want: "devel"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			info := &debug.BuildInfo{Main: debug.Module{Version: c.main}, Settings: c.settings}
			require.Equal(t, c.want, versionOf(info))
		})
	}
}

func TestVersionFlag(t *testing.T) {
	t.Parallel()
	code, out, errs := call(t, "", "--version")
	require.Equal(t, exitOK, code, errs)
	require.Contains(t, out, "sanad version "+version()+" (go")
}
