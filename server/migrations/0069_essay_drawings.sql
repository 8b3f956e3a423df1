-- Drawings of diagrams, made by the writer's browser and sanitised by the server when a version is submitted.
create table essay_drawings (
  -- Random: whoever knows it can load the drawing.
  id uuid primary key,
  essay_id uuid not null references essays (id) on delete cascade,
  version integer not null,
  -- SHA-256 of the diagram's source in hex.
  source_hash text not null,
  light text not null,
  dark text not null,
  width integer not null,
  height integer not null,
  text text not null,
  constraint essay_drawings_source unique (essay_id, version, source_hash)
);
