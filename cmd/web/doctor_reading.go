package main

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"sanad/internal/ocr"
	"sanad/internal/pdftext"
	"sanad/internal/reader/published"
)

// readers starts the process that reads uploaded files, and looks for poppler.
func (d *doctor) readers() {
	const check, mend = "reading files", "apt-get install poppler-utils"
	r, err := newFileReaders(pdftext.Use(d.c.pdfReader))
	if err != nil {
		d.fault(check, mend+", or choose another --pdf-reader", "%v", explained(err))
		return
	}
	if !r.processes.Offline() {
		d.warn(check, "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or your container's)",
			"the processes that read files start with a network")
	}
	if holds, err := r.processes.Confined(d.ctx); runtime.GOOS == "linux" && len(holds) < len(confinements) {
		d.warn(check, "run a kernel with Landlock and seccomp (Linux 5.13 or newer; lsm=landlock,… if it is off)",
			"the processes that read files are confined by %v only, not by %v (%v)", holds, confinements, err)
	}
	path, err := exec.LookPath("pdftotext")
	switch {
	case d.c.pdfReader == string(pdftext.UseOwn):
		d.ok(check, "by our own reader")
	case err != nil && d.c.pdfReader == string(pdftext.UseAuto):
		d.warn(check, mend, "pdftotext (poppler) is not in PATH: PDF files that our own reader cannot read are refused")
	default:
		d.ok(check, "pdftotext is %s", path)
	}
	d.pictures(r)
}

// pictures looks for what reads scans.
func (d *doctor) pictures(r fileReaders) {
	const check, mend = "reading pictures", "apt-get install tesseract-ocr tesseract-ocr-ara tesseract-ocr-eng poppler-utils"
	switch {
	case r.pictures == nil:
		d.warn(check, mend, "tesseract, or the data of its languages, is not installed: scans and pictures are not read")
	case r.pictures.Languages != ocr.AllLanguages:
		d.warn(check, mend, "%s reads only some of %s", r.pictures.Name(), ocr.AllLanguages)
	case r.pictures.PDFToPPM == "":
		d.warn(check, mend, "pdftoppm (poppler) is not in PATH: pages of PDF files that are scans are not read")
	default:
		d.ok(check, "%s is %s", r.pictures.Name(), r.pictures.Tesseract)
	}
}

// embeddedReader checks the weights that the embedded judge reads with.
func (d *doctor) embeddedReader() {
	const check = "embedded judge"
	if d.c.reader.path != "" {
		d.chosenReader(check)
		return
	}
	if err := d.own.Fault(); err != nil {
		d.fault(check, "install the program again: its file is damaged",
			"its reader cannot be used, so claims are judged by their words only: %v", err)
		return
	}
	name, failed := d.own.Kernel()
	d.kernel(check, "version "+d.own.Judge().Version(), name, failed)
}

// kernel says which instructions of the processor the reader computes with, and whether the fastest ones that it has
// were given up because they computed something else.
func (d *doctor) kernel(check, reader, name, failed string) {
	if failed == "" {
		d.ok(check, "%s, computed with %s", reader, instructions(name))
		return
	}
	d.warn(check, "report the processor's model (docs/reader.md); its memory or its firmware may be at fault",
		"%s: this processor's %s gave another result than plain arithmetic, so it is computed with %s. Verdicts are the "+
			"same as on every machine, but reading takes several times as long", reader, instructions(failed), instructions(name))
}

// instructions says a kernel's name in words.
func instructions(kernel string) string {
	if kernel == "portable" {
		return "plain arithmetic (no instructions of the processor's own)"
	}
	return strings.ToUpper(kernel) + " instructions"
}

// chosenReader checks the reader of the operator's choice, and makes nothing.
func (d *doctor) chosenReader(check string) {
	f := &d.c.reader
	labels, err := published.ParseLabels(f.labels)
	if err != nil {
		d.fault(check, "see docs/reader.md", "--reader-labels: %s", explain(err))
		return
	}
	file, digest := f.path, ""
	if info, statErr := os.Stat(f.path); statErr != nil || !info.Mode().IsRegular() {
		if file, digest, err = published.Examine(f.path, d.c.data, labels); err != nil {
			d.fault(check, "see docs/reader.md", "--reader %s: %s", f.path, explain(err))
			return
		}
	}
	if file == "" {
		d.ok(check, "the reader %s can be used; the server makes it ready at its first start", digest)
		return
	}
	name, failed := "", ""
	model, err := published.Open(file)
	if err == nil {
		digest = model.Source()
		name, failed = model.Kernel()
		err = errors.Join(model.Check(), model.Close())
	}
	if err != nil {
		d.fault(check, "delete this file, and give the model's folder to have it made again", "%s: %v", file, err)
		return
	}
	d.kernel(check, "it reads with "+digest, name, failed)
}
