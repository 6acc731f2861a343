-- How many erasures other processes have run: tells the service that its memory is out of date.
select value as number
from installation
where name = 'erasures'
