-- Which reader took the text out of an uploaded original (docs/adr/0010): "sanad", "pdftotext", "" where it is text itself.
ALTER TABLE documents ADD COLUMN text_by TEXT NOT NULL DEFAULT '';
