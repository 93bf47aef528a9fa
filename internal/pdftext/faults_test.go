package pdftext_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/isolated"
	"sanad/internal/pdftext"
)

// TestMain acts as the reading process if a test has started this program as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "read-file" {
		program := ""
		if len(os.Args) > 3 {
			program = os.Args[3]
		}
		switch {
		case os.Args[2] == "--try":
		case os.Getenv("GOMAXPROCS") != "2":
			fmt.Fprintln(os.Stderr, "the environment is not what it was given")
			os.Exit(1)
		default:
			if err := errors.Join(confined(program), pdftext.Serve(os.Stdin, os.Stdout, program)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// confined limits and confines this process as read-file does.
func confined(program string) error {
	err := isolated.Limit()
	isolated.Confine(program)
	return err
}

// inProcess returns a reader that starts this test program as its processes.
func inProcess(t testing.TB, use pdftext.Use) *pdftext.Isolated {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	r, err := pdftext.NewIsolated(isolated.New([]string{self, "read-file"}), use)
	require.NoError(t, err)
	return r
}

// qpdf changes a PDF.
func qpdf(t testing.TB, data []byte, args ...string) []byte {
	t.Helper()
	in, out := filepath.Join(t.TempDir(), "in.pdf"), filepath.Join(t.TempDir(), "out.pdf")
	require.NoError(t, os.WriteFile(in, data, 0o600))
	said, err := exec.Command("qpdf", append(args, in, out)...).CombinedOutput()
	require.NoError(t, err, "%s", said)
	made, err := os.ReadFile(out)
	require.NoError(t, err)
	return made
}

// drawn returns a PDF of one page with this content, compressed.
func drawn(content []byte) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(content)
	_ = z.Close()
	var b bytes.Buffer
	var at []int
	object := func(s string) { at = append(at, b.Len()); fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), s) }
	b.WriteString("%PDF-1.7\n")
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Kids[3 0 R]/Count 1>>")
	object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>")
	object(fmt.Sprintf("<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream", packed.Len(), packed.String()))
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}

// scanned has a picture and no text, like a scan.
var scanned = drawn([]byte("q 100 0 0 100 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI Q"))

func TestFaults(t *testing.T) {
	good := ours(t, "en")
	nested := drawn([]byte("BT /F 12 Tf 10 10 Td " + strings.Repeat("[", 1_000_000) + " (deep) Tj ET"))
	for name, x := range map[string]struct {
		data []byte
		kind error
	}{
		"nothing":     {nil, pdftext.ErrBroken},
		"only a head": {[]byte("%PDF-1.7\n"), pdftext.ErrBroken},
		"a password":  {qpdf(t, good, "--encrypt", "secret", "owner", "256", "--"), pdftext.ErrEncrypted},
		"an old password": {qpdf(t, good, "--allow-weak-crypto", "--encrypt", "secret", "owner", "128",
			"--use-aes=n", "--"), pdftext.ErrEncrypted},
		"half of a file":        {good[:len(good)/2], pdftext.ErrBroken},
		"a page that unpacks":   {drawn(bytes.Repeat([]byte(" "), 100<<20)), pdftext.ErrBroken},
		"more pages than taken": {good, pdftext.ErrTooLarge},
		"arrays in arrays":      {nested, nil},
	} {
		t.Run(name, func(t *testing.T) {
			limits := pdftext.Limits{}
			if name == "more pages than taken" {
				limits.Pages = 2
			}
			_, err := pdftext.Read(x.data, limits)
			require.ErrorIs(t, err, x.kind)
			if x.kind != nil && limits.Pages == 0 {
				_, err = inProcess(t, pdftext.UseOwn).Read(context.Background(), x.data)
				require.ErrorIs(t, err, x.kind)
			}
		})
	}
}

// An owner password does not prevent reading, as such files have no user password.
func TestReadWithOwnersPassword(t *testing.T) {
	for _, args := range [][]string{
		{"--encrypt", "", "owner", "256", "--"}, {"--encrypt", "", "owner", "128", "--use-aes=y", "--"},
		{"--linearize"},
		{"--object-streams=generate"}, {"--force-version=2.0"},
		{"--stream-data=uncompress", "--object-streams=disable"},
	} {
		got, err := pdftext.Read(qpdf(t, ours(t, "ar"), args...), pdftext.Limits{})
		require.NoError(t, err, "%v", args)
		want, err := pdftext.Read(ours(t, "ar"), pdftext.Limits{})
		require.NoError(t, err)
		require.Equal(t, want, got, "%v", args)
	}
}

// TestScanned: a file without words is read, and says so.
func TestScanned(t *testing.T) {
	got, err := pdftext.Read(scanned, pdftext.Limits{})
	require.NoError(t, err)
	require.Len(t, got.Pages, 1)
	require.False(t, got.Readable())
	got, err = inProcess(t, pdftext.UseAuto).Read(context.Background(), scanned)
	require.NoError(t, err)
	require.False(t, got.Readable())
}

// TestIsolated: a separate process returns the same text, and each reader states its name.
func TestIsolated(t *testing.T) {
	data := ours(t, "ar")
	want, err := pdftext.Read(data, pdftext.Limits{})
	require.NoError(t, err)
	for use, reader := range map[pdftext.Use]string{pdftext.UseAuto: pdftext.Own, pdftext.UseOwn: pdftext.Own,
		pdftext.UsePoppler: pdftext.Poppler} {
		got, err := inProcess(t, use).Read(context.Background(), data)
		require.NoError(t, err, "%s", use)
		require.Equal(t, reader, got.Reader)
		require.Len(t, got.Pages, 3)
		if reader == pdftext.Own {
			require.Equal(t, want, got)
			t.Logf("without a network: %v", inProcess(t, use).Offline())
		}
	}
}

// TestPopplerReadsWhatOwnReaderRefuses: a file that our reader refuses, here for a wrong checksum, is read by pdftotext
// if that is allowed.
func TestPopplerReadsWhatOwnReaderRefuses(t *testing.T) {
	data := drawn([]byte("BT /F 12 Tf 10 100 Td (Leave is 15 days) Tj ET"))
	data[bytes.Index(data, []byte("\nendstream"))-1] ^= 0xff
	_, err := inProcess(t, pdftext.UseOwn).Read(context.Background(), data)
	require.ErrorIs(t, err, pdftext.ErrBroken)
	got, err := inProcess(t, pdftext.UseAuto).Read(context.Background(), data)
	require.NoError(t, err)
	require.Equal(t, pdftext.Poppler, got.Reader)
	require.Equal(t, "Leave is 15 days", got.Pages[0].Paragraphs[0].Text)
	_, err = inProcess(t, pdftext.UsePoppler).Read(context.Background(),
		qpdf(t, ours(t, "en"), "--encrypt", "secret", "owner", "256", "--"))
	require.ErrorIs(t, err, pdftext.ErrEncrypted)
}

// TestReadTimesOut: a process that takes too long is killed.
func TestReadTimesOut(t *testing.T) {
	slow := inProcess(t, pdftext.UseOwn)
	slow.Timeout = time.Nanosecond
	_, err := slow.Read(context.Background(), ours(t, "en"))
	require.ErrorIs(t, err, pdftext.ErrGaveUp)
	failing := inProcess(t, pdftext.UsePoppler)
	failing.Poppler = "/bin/false"
	_, err = failing.Read(context.Background(), nil)
	require.ErrorIs(t, err, pdftext.ErrBroken, "pdftotext reports only that it failed")
}

// FuzzRead: any bytes are either refused with a fault or read as valid text.
func FuzzRead(f *testing.F) {
	for _, data := range [][]byte{scanned,
		drawn([]byte("BT /F 12 Tf 10 100 Td (Leave is) Tj [(15) -300 (days)] TJ ET")), ours(f, "ar")} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := pdftext.Read(data, pdftext.Limits{Pages: 50, Runes: 1_000_000})
		if err != nil {
			var fault *pdftext.Fault
			require.ErrorAs(t, err, &fault)
			return
		}
		checkText(t, got)
	})
}

// FuzzContent: the content of a page may be any bytes.
func FuzzContent(f *testing.F) {
	f.Add([]byte("q 1 0 0 1 0 0 cm BT /F 12 Tf 10 100 Td (Leave is) Tj [(15) -300 (days)] TJ T* (x) ' 1 2 (y) \" ET Q BI ID EI /X Do"))
	f.Add([]byte("q 9 9 80 40 re W n 0 0 1 rg 9 9 40 20 re 20 w 9 9 m 90 9 l 90 60 l h B Q /P cs 1 scn /OC /O BDC sh EMC " +
		"3 Tr BT /F 12 Tf 10 10 Td (Leave) Tj 7 Tr 5 Ts (15) Tj ET 10 10 m 10 90 l S 50 10 m 50 90 l S 10 50 m 50 50 l S"))
	f.Add([]byte("BT /F 1e300 Tf 1e308 1e308 1e308 1e308 1e308 1e308 Tm (a\\) \\101) Tj <414> Tj ET"))
	f.Fuzz(func(t *testing.T, content []byte) {
		got, err := pdftext.Read(drawn(content), pdftext.Limits{})
		require.NoError(t, err)
		checkText(t, got)
	})
}

func checkText(t *testing.T, got *pdftext.Text) {
	for _, p := range got.Pages {
		for _, x := range p.Paragraphs {
			require.NotEmpty(t, x.Text)
			require.Equal(t, strings.ToValidUTF8(x.Text, "!"), x.Text)
			require.NotContains(t, x.Text, "\n")
			require.True(t, x.Level >= 0 && x.Level <= 6)
		}
	}
}
