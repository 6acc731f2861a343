-- A share link may show a number of its own to everybody, and be framed by pages of other origins.
alter table share_link add column counter text check (counter is null or json_valid(counter));
alter table share_link add column frame text not null default '[]' check (json_valid(frame));
