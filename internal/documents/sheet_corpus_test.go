package documents

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/block"
	"sanad/internal/documents/workbook"
	"sanad/internal/isolated"
)

// TestSheetCorpus reads the spreadsheets and texts of cells of the folder that SANAD_SHEETS names, each in a process of the
// program that SANAD names, and counts which words of the shared strings that a plain reading of the cells meets are
// found. It prints a line for each file.
func TestSheetCorpus(t *testing.T) {
	folder, program := os.Getenv("SANAD_SHEETS"), os.Getenv("SANAD")
	if folder == "" || program == "" {
		t.Skip("run with SANAD_SHEETS, a folder of files, and SANAD, the program")
	}
	var files []string
	require.NoError(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	}))
	read := Isolated(isolated.New([]string{program, "read-file"}))
	faults, of, found, unseen, rows := map[string]int{}, 0, 0, 0, 0
	var took []time.Duration
	for _, name := range files {
		data, err := os.ReadFile(name) //nolint:gosec // of the folder given
		require.NoError(t, err)
		start := time.Now()
		d, err := Read(t.Context(), "files[0]", filepath.Base(name), data, Options{Bytes: 10 << 20, Parse: read})
		took = append(took, time.Since(start))
		fault := "read"
		if err != nil {
			fault = faultOf(err)
			faults[fault]++
			t.Logf("%-10s %s: %v", fault, filepath.Base(name), err)
			continue
		}
		faults[fault]++
		all, left := wordSetOf(d)
		n, k, h := 0, 0, 0
		for _, w := range plainWords(data) {
			n++
			switch {
			case all[w]:
				k++
			case left[w]:
				h++
			}
		}
		of, found, unseen, rows = of+n, found+k, unseen+h, rows+len(d.Blocks)
		if missed := n - k - h; missed > 0 {
			t.Logf("%-10s %6d words, %d missed, %d hidden, %d blocks, %v: %s", fault, n, missed, h, len(d.Blocks),
				took[len(took)-1].Round(time.Millisecond), filepath.Base(name))
		}
	}
	slices.Sort(took)
	t.Logf("%d files: %v; %d blocks; of %d words of cells %.2f %% found, %.2f %% left out as hidden or struck", len(files), faults,
		rows, of, 100*float64(found)/float64(max(of, 1)), 100*float64(unseen)/float64(max(of, 1)))
	t.Logf("time: median %v, longest %v", took[len(took)/2], took[len(took)-1])
	require.Zero(t, faults["crash"]+faults["other"])
}

func faultOf(err error) string {
	for kind, name := range map[error]string{isolated.ErrBroken: "broken", isolated.ErrTooLarge: "too large",
		isolated.ErrGaveUp: "crash", block.ErrOtherKind: "no sheet"} {
		if errors.Is(err, kind) {
			return name
		}
	}
	var failed *isolated.Failed
	if errors.As(err, &failed) {
		return "crash"
	}
	return "refused"
}

func wordSetOf(d *Document) (all, left map[string]bool) {
	all, left = map[string]bool{}, map[string]bool{}
	for _, b := range d.Blocks {
		for w := range strings.FieldsSeq(strings.ReplaceAll(b.Text, `\|`, "|")) {
			all[w] = true
		}
	}
	for _, x := range d.Left {
		for w := range strings.FieldsSeq(strings.ReplaceAll(x.Text, "~~", " ")) {
			left[w] = true
		}
	}
	return all, left
}

// plainWords returns the words of the texts that the cells of worksheets name, without looking at any format.
func plainWords(data []byte) (out []string) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil
	}
	part := func(name string) []byte {
		for _, f := range z.File {
			if strings.EqualFold(f.Name, name) {
				if r, err := f.Open(); err == nil {
					var b bytes.Buffer
					_, _ = b.ReadFrom(r)
					return b.Bytes()
				}
			}
		}
		return nil
	}
	var shared struct {
		SI []struct {
			T string `xml:"t"`
			R []struct {
				T string `xml:"t"`
			} `xml:"r"`
		} `xml:"si"`
	}
	_ = xml.Unmarshal(part("xl/sharedStrings.xml"), &shared)
	for _, f := range z.File {
		if ok, _ := path.Match("xl/worksheets/*.xml", strings.ToLower(f.Name)); !ok {
			continue
		}
		var sheet struct {
			Rows []struct {
				C []struct {
					T string `xml:"t,attr"`
					V string `xml:"v"`
				} `xml:"c"`
			} `xml:"sheetData>row"`
		}
		_ = xml.Unmarshal(part(f.Name), &sheet)
		for _, r := range sheet.Rows {
			for _, c := range r.C {
				switch n, err := strconv.Atoi(c.V); {
				case c.T == "str":
					out = append(out, strings.Fields(c.V)...)
				case c.T == "s" && err == nil && n >= 0 && n < len(shared.SI):
					s := shared.SI[n].T
					for _, x := range shared.SI[n].R {
						s += x.T
					}
					out = append(out, strings.Fields(workbook.CellLine(s))...)
				}
			}
		}
	}
	return out
}
