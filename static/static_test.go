package static

import (
	"regexp"
	"testing"
)

func TestURLNamesContent(t *testing.T) {
	want := regexp.MustCompile(`^/static/base\.css\?v=[0-9a-f]{12}$`)
	if got := URL("base.css"); !want.MatchString(got) {
		t.Errorf("URL(base.css) = %q, want it to match %s", got, want)
	}
}

func TestURLOfUnknownFilePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("URL of an unknown file did not panic")
		}
	}()
	URL("no-such-file.css")
}
