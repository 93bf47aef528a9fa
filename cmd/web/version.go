package main

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// programName is the command's name in its documentation and its messages.
const programName = "sanad"

// calledBy returns the name that the program was started under, for its help: sanad, or whatever an operator called the
// file. A test binary is sanad.
func calledBy() string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if name == "." || strings.HasSuffix(name, ".test") {
		return programName
	}
	return name
}

// released is the version that .ci/build gives a build; "" for any other build.
var released string

// version returns released or, without one, what the Go toolchain recorded of this build: the module's version, or the
// commit that it was built from; "devel" where neither is known, as under go run.
func version() string {
	if released != "" {
		return released
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	if setting["vcs.revision"] == "" {
		return "devel"
	}
	v := "devel-" + setting["vcs.revision"][:min(12, len(setting["vcs.revision"]))]
	if setting["vcs.modified"] == "true" {
		v += "+dirty"
	}
	return v
}

// platform names the toolchain and the machine that the program was built for.
func platform() string { return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH }

// versionLine is what --version prints.
func versionLine() string { return version() + " (" + platform() + ")" }
