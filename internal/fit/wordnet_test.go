package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// smallWordnet has a few words: "buy" and "purchase" are synonyms, "buyer" is derived from "buy". The third sense of
// "get", and a sense that occurs in no text, are not used.
var smallWordnet = map[string]string{
	"index.noun": "  1 the licence\nbuyer n 1 1 + 1 1 00000003\npurchase n 1 0 1 0 00000004\nvendee n 1 0 1 0 00000003\n",
	"data.noun":  "  1 the licence\n00000003 18 n 02 buyer 0 vendee 0 001 + 00000001 v 0101 | who buys\n00000004 04 n 01 purchase 0 000 | what is bought\n",
	"index.verb": "buy v 1 1 + 1 1 00000001\npurchase v 1 0 1 1 00000001\nget v 3 0 3 3 00000005 00000006 00000001\n",
	"data.verb":  "00000001 40 v 03 buy 0 purchase 0 get 0 001 + 00000003 n 0101 01 + 08 00 | obtain by paying\n",
	"index.adj":  "", "data.adj": "", "index.adv": "", "data.adv": "",
}

func writeSmall(t *testing.T, change map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range smallWordnet {
		if c, ok := change[name]; ok {
			content = c
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	return dir
}

func TestWordnetGroups(t *testing.T) {
	n, err := readWordnet(writeSmall(t, nil))
	require.NoError(t, err)
	require.Equal(t, []string{"buy buyer", "buy purchas"}, n.groups())
	var out strings.Builder
	require.NoError(t, writeWordnet(&out, writeSmall(t, nil)))
	require.Contains(t, out.String(), "\nbuy buyer\nbuy purchas\n")
}

func TestWordnetFaultsNameTheLine(t *testing.T) {
	for name, content := range map[string]string{
		"index.verb": "buy v 1\n", "data.verb": "00000001 40 v 09 buy 0\n",
		"data.noun": "00000003 18 n 01 buyer 0 001 + 00000001 v 0109\n",
	} {
		_, err := readWordnet(writeSmall(t, map[string]string{name: content}))
		require.ErrorContains(t, err, name+": line 1")
	}
	_, err := readWordnet(t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
}
