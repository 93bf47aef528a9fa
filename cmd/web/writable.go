package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// changeable says how other users of this machine could change or replace a file: by its own mode, or its folder's.
// "" if they cannot, and for a file that does not exist. Windows has other means than modes.
func changeable(name string) string {
	name, err := filepath.Abs(name)
	if err != nil || runtime.GOOS == "windows" {
		return ""
	}
	for _, at := range []string{name, filepath.Dir(name)} {
		info, err := os.Stat(at)
		if err != nil {
			return ""
		}
		if mode := info.Mode(); mode&0o022 != 0 && mode&os.ModeSticky == 0 {
			return fmt.Sprintf("%s can be changed by other users of this machine (mode %04o): chmod go-w %s",
				at, mode.Perm(), at)
		}
	}
	return ""
}

// changeableFiles returns what changeable says of the file of flags and of the master key's.
func (c *config) changeableFiles() (says []string) {
	for _, name := range []string{c.configFile, c.masterKeyFile} {
		if name == "" {
			continue
		}
		if how := changeable(name); how != "" {
			says = append(says, how)
		}
	}
	return says
}
